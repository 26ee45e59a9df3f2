import type { FoundTurn, Out } from './reader.ts';

/** A message of a chat with an assistant, as programs keep it. */
export interface AssistantMessage extends Pick<FoundTurn, 'at' | 'wall'> {
  readonly role: string;
  readonly text: string;
}

/** Hands on what the user and the assistant say; instructions, tools, and messages without words are counted. */
export function readAssistantMessage({ role, text, ...time }: AssistantMessage, at: string, out: Out) {
  if (role !== 'user' && role !== 'assistant') return out.leftOut('message of the system or of a tool', at, text);
  if (text.trim() === '') return out.leftOut('call of a tool, or thought', at, '');
  out.turn({ role, text, ...time });
}
