import type { FoundTurn, Reader } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';

const HEADING = /^#{1,6}\s+(?:\*\*)?(?<name>[^*:：#]{1,30}?)(?:\*\*)?\s*[:：]?\s*$/u;
const USER = /^(?:user|you|human|me|prompt|用户|我|你)$/iu;
const ASSISTANT =
  /^(?:assistant|ai|bot|model|chatgpt|gpt[-\w.]{0,20}|claude|gemini|copilot|deepseek|answer|response|助手|回答)$/iu;

function toRole(line: string): { readonly name: string; readonly role: FoundTurn['role'] } | undefined {
  const name = line.length > 60 ? undefined : HEADING.exec(line)?.groups?.['name'];
  if (name === undefined) return undefined;
  if (USER.test(name)) return { name, role: 'user' };
  return ASSISTANT.test(name) ? { name, role: 'assistant' } : undefined;
}

function readLine(line: string): HeadedLine | undefined {
  const found = toRole(line);
  if (found === undefined) return undefined;
  return { kind: 'head', turn: { role: found.role, speaker: found.name }, text: '' };
}

/** A chat with an assistant saved as Markdown: a heading tells who speaks. */
export const markdownChat: Reader = {
  name: 'markdown-chat',
  title: 'Markdown chat',
  detect: ({ lines }) => {
    const roles = new Set(lines.map((line) => toRole(line)?.role));
    return roles.has('user') && roles.has('assistant');
  },
  read: (out) =>
    createHeadedLineSink({ readLine, toWords: (text) => (text === '' ? { leftOut: 'empty message' } : { text }) }, out),
};
