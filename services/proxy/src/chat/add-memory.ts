import type { ChatKind } from './chat-kind.ts';
import { addBeside, markEnd, readsMarks } from './newest-message.ts';
import { addSystemPrompt } from './system-prompt.ts';

/** What memory adds to a request, and where. */
export interface Addition {
  /** In front of the system prompt of the request. */
  readonly before?: string | undefined;
  /** Behind it. */
  readonly after?: string | undefined;
  /** With the newest message of the user, marked as no words of theirs. */
  readonly beside?: string | undefined;
}

/** A request that gets memory. */
export interface Receiver {
  readonly kind: ChatKind;
  readonly text: string;
  readonly model: string | undefined;
  /** Which message is the newest of the user, where there is one. */
  readonly newest: number | undefined;
  readonly provider: URL;
  /** Whether what is stable is marked for the provider's cache. */
  readonly marks: boolean;
}

/** Writes what memory adds into the text of a request. No byte changes but for what is added, and marks where they are read. */
export function addMemory(
  { kind, text, model, newest, provider, marks }: Receiver,
  { before, after, beside = '' }: Addition,
): string {
  const isMarked = marks && readsMarks(kind, text, model, provider);
  const ended = isMarked && kind === 'messages' && newest !== undefined ? markEnd(text, newest) : text;
  const added = newest === undefined ? text : addBeside(kind, ended, newest, { block: beside.trimEnd(), isMarked });
  const behind = after === undefined ? added : (addSystemPrompt(kind, added, after, 'after') ?? added);
  return before === undefined ? behind : (addSystemPrompt(kind, behind, before, 'before') ?? behind);
}
