import type { Conversation } from '../../transcript.ts';
import type { ReadOptions } from '../read.ts';
import { isConversation, readConversation } from './json.ts';
import { isLocomo, readLocomo } from './locomo.ts';

/** A form that a conversation has in JSON. */
export interface JsonFormat {
  /** Whether a value has this form, by its marks alone. */
  readonly recognizes: (value: unknown) => boolean;
  /** @throws ContextloomError `invalid`, naming the place that is not as the form wants it */
  readonly read: (value: unknown, options: ReadOptions) => Conversation;
}

/** The forms that are looked for, in this order; `unreadable.ts` names them to people. */
const formats: readonly JsonFormat[] = [
  { recognizes: isLocomo, read: readLocomo },
  { recognizes: isConversation, read: readConversation },
];

/** The form that a value has; undefined for a list of turns, a single turn and what is no conversation. */
export function findJsonFormat(value: unknown): JsonFormat | undefined {
  return formats.find(({ recognizes }) => recognizes(value));
}
