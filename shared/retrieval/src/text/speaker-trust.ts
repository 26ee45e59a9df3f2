import type { Trust } from '@contextloom/contracts';
import { isAssistantName } from './assistant-name.ts';

const USER = /^(?:user|human|me|you|customer|this person|用户|我|顾客|本人|私|ユーザー)$/iu;
const TOOL = /^(?:tool|function)(?:[ _:.-].{0,40})?$/iu;

/** Whose names are known. */
export interface KnownNames {
  /** What the user is called; their id too. */
  readonly user?: readonly string[] | undefined;
  /** What assistants are called. */
  readonly assistants?: readonly string[] | undefined;
}

const isOneOf = (name: string, known: readonly string[] = []): boolean =>
  known.some((one) => one.trim() !== '' && one.trim().toLowerCase() === name);

/** Who a speaker of a conversation is, by their name: somebody whom nothing tells to be the user is another person. */
export function toSpeakerTrust(speaker: string, { user, assistants }: KnownNames): Trust {
  const name = speaker.trim().toLowerCase();
  if (name === '' || USER.test(name) || isOneOf(name, user)) return 'user';
  if (isAssistantName(name) || isOneOf(name, assistants)) return 'assistant';
  return TOOL.test(name) ? 'tool' : 'other';
}
