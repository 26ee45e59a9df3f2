import type { FoundTurn, Reader } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';

/** `## User`, `**User**` and `_**Assistant (2025-03-05 09:00Z)**_` in a line of their own. */
const HEADING =
  /^(?:#{1,6}\s+(?:\*\*)?(?<name>[^*:：#]{1,30}?)(?:\*\*)?\s*[:：]?|_?\*\*(?<bold>[^*:：#()]{1,30}?)(?: \([^()*]{1,40}\))?[:：]?\*\*_?[:：]?)\s*$/u;
const USER = /^(?:user|you|human|me|prompt|用户|我|你)$/iu;
const ASSISTANT =
  /^(?:assistant|ai|bot|model|chatgpt|gpt[-\w.]{0,20}|claude|gemini|copilot|deepseek|cursor|grok|perplexity|mistral|le chat|llama[-\w.]{0,20}|qwen[-\w.]{0,20}|kimi|answer|response|助手|回答|豆包|文心一言|通义千问|元宝)$/iu;

/** Exporters of browsers put a picture before who speaks: `## 👤 User`. */
const PICTURE = /^(#{1,6}\s+|_?\*\*)(?:\p{Extended_Pictographic}|\uFE0F|\u200D){1,8}\s{0,3}/u;

function toRole(line: string): { readonly name: string; readonly role: FoundTurn['role'] } | undefined {
  const groups = line.length > 80 ? undefined : HEADING.exec(line.replace(PICTURE, '$1'))?.groups;
  const name = groups?.['name'] ?? groups?.['bold'];
  if (name === undefined) return undefined;
  if (USER.test(name)) return { name, role: 'user' };
  return ASSISTANT.test(name) ? { name, role: 'assistant' } : undefined;
}

function readLine(line: string): HeadedLine | undefined {
  const found = toRole(line);
  if (found === undefined) return undefined;
  return { kind: 'head', turn: { role: found.role, speaker: found.name }, text: '' };
}

/** Between messages stands a rule. */
function toWords(text: string) {
  const words = text.replace(/\n-{3,}$/u, '').trim();
  return words === '' || /^-{3,}$/u.test(words) ? { leftOut: 'empty message' } : { text: words };
}

/** A chat with an assistant saved as Markdown: a heading, or a name in bold on its own, tells who speaks. */
export const markdownChat: Reader = {
  name: 'markdown-chat',
  title: 'Markdown chat',
  detect: ({ lines }) => {
    const roles = new Set(lines.map((line) => toRole(line)?.role));
    return roles.has('user') && roles.has('assistant');
  },
  read: (out) => createHeadedLineSink({ readLine, toWords }, out),
};
