import type { Scripted } from './composition.ts';

/** What the scripted persona says. */
export const PERSONA_TEXT = '# Uozumi 系统提示\n\n你是鱼住，一位安静的茶师。';

/** One search result of the newest generation: flat and nested at once. */
export function toResult(content: string, metadata: Record<string, unknown> = {}, id = content) {
  const document = { id, content, tags: ['memory'], metadata: { user_id: 'ann', ...metadata } };
  return { ...document, score: 0.5, document };
}

/** A persona with no SDK. */
export function barePersona(script: Record<string, unknown> = {}): Scripted {
  return { fixture: 'persona-bare', script: { persona: 'uozumi', text: PERSONA_TEXT, ...script } };
}

/** A knowledge base that answers by script. */
export function knowledgeBase(script: Record<string, unknown> = {}): Scripted {
  return { fixture: 'knowledge-base', script: { mode: 'ok', results: [toResult('喜欢绿茶')], ...script } };
}

/** The prompt that memories and the scripted persona make. */
export function toExpectedPrompt(memories: readonly string[], persona = PERSONA_TEXT): string {
  const items = memories.map((memory) => `- ${memory}\n`).join('');
  return `[补充记忆上下文]\n关于这位用户，请参考以下你之前的记忆：\n${items}\n\n---\n\n${persona}`;
}
