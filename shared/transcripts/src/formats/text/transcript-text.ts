import type { Moment } from '@contextloom/retrieval/time';
import { type Conversation, countTurns, hasPrivate } from '../../transcript.ts';
import { createAssembler, PRIVATE_MESSAGE, type Selection } from '../assemble.ts';
import { findReader } from '../index.ts';
import { toSample } from '../sample.ts';
import { nothingSaid, unreadable } from '../unreadable.ts';

/** Options of reading a text. */
export interface ParseOptions extends Selection {
  /** The name of the format; found by its marks without. */
  readonly format?: string | undefined;
  /** Where the text is from: some formats are recognised by it. */
  readonly file?: string | undefined;
}

/**
 * Reads a conversation, or several, from text in any of the formats.
 * @param date when it took place, for turns without a date of their own
 * @throws ContextloomError `invalid`, saying what is wrong in which line and which formats are read
 */
export function parseTranscript(text: string, date?: Moment, options: ParseOptions = {}): readonly Conversation[] {
  const clean = text.replace(/^\uFEFF/u, '');
  refuseNul(clean);
  const { format, file = '' } = options;
  const sample = toSample(clean, file, true);
  const reader = findReader(sample, format);
  const survey = reader.survey?.();
  survey?.write(clean);
  survey?.end();
  const conversations: Conversation[] = [];
  let isPrivate = false;
  const out = createAssembler(
    { ...options, date },
    {
      onConversation: (conversation) => conversations.push(conversation),
      onLeftOut: (what) => {
        isPrivate ||= what === PRIVATE_MESSAGE;
      },
      onFault: (at, reason, error) => {
        throw error ?? unreadable(`${at}: ${reason}`);
      },
    },
  );
  const sink = reader.read(out, { date, file, sample, ...survey?.result() });
  sink.write(clean);
  sink.end();
  out.end();
  const spoken = conversations.filter((conversation) => countTurns(conversation) > 0);
  if (spoken.length === 0) throw nothingSaid(isPrivate || conversations.some(hasPrivate));
  return spoken;
}

function refuseNul(text: string): void {
  const at = text.indexOf('\0');
  if (at < 0) return;
  throw unreadable(`line ${text.slice(0, at).split('\n').length} holds a NUL character, so it is no text`);
}
