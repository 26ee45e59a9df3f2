import { eachMember, findMember } from './json-members.ts';

const SEPARATOR = '\n\n---\n\n';

const insertAt = (text: string, at: number, written: string): string => text.slice(0, at) + written + text.slice(at);

/** Puts words in front of what a JSON string or a list of parts says; undefined where it is neither. */
function prefixText(text: string, start: number, words: string): string | undefined {
  if (text[start] === '"') return insertAt(text, start + 1, JSON.stringify(words + SEPARATOR).slice(1, -1));
  if (text[start] !== '[') return undefined;
  const [first] = eachMember(text, start);
  return insertAt(text, start + 1, `${JSON.stringify({ type: 'text', text: words })}${first === undefined ? '' : ','}`);
}

/**
 * Puts a system prompt into the text of a request for `/chat/completions`: in front of what its first message says where that is of the
 * system, else as a message of its own. All other bytes stay as they are, since clients and providers differ in what they write.
 */
function promptMessages(text: string, prompt: string): string | undefined {
  const messages = findMember(text, 'messages');
  if (messages === undefined || text[messages.start] !== '[') return undefined;
  const [first] = eachMember(text, messages.start);
  const own = JSON.stringify({ role: 'system', content: prompt });
  if (first === undefined) return undefined;
  const role = text[first.start] === '{' ? findMember(text, 'role', first.start) : undefined;
  const isSystem = role !== undefined && /^"(?:system|developer)"$/u.test(text.slice(role.start, role.end));
  const content = isSystem ? findMember(text, 'content', first.start) : undefined;
  const prefixed = content && prefixText(text, content.start, prompt);
  return prefixed ?? insertAt(text, first.start, `${own},`);
}

/** The same for `/responses`, whose system prompt is `instructions`. */
function promptInstructions(text: string, prompt: string): string | undefined {
  const instructions = findMember(text, 'instructions');
  if (instructions !== undefined) {
    const isNull = text.slice(instructions.start, instructions.end) === 'null';
    if (isNull) return text.slice(0, instructions.start) + JSON.stringify(prompt) + text.slice(instructions.end);
    return text[instructions.start] === '"' ? prefixText(text, instructions.start, prompt) : undefined;
  }
  const [first] = eachMember(text);
  const at = text.indexOf('{') + 1;
  return insertAt(text, at, `"instructions":${JSON.stringify(prompt)}${first === undefined ? '' : ','}`);
}

/** The kinds of request that get memory. */
export type ChatKind = 'chat' | 'responses';

/** Puts a system prompt into the text of a request; undefined where the request has no place for one. */
export function addSystemPrompt(kind: ChatKind, text: string, prompt: string): string | undefined {
  return kind === 'chat' ? promptMessages(text, prompt) : promptInstructions(text, prompt);
}
