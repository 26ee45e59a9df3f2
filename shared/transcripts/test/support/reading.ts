import { createAssembler, type FoundConversation, type Selection } from '../../src/formats/assemble.ts';
import { findReader } from '../../src/formats/index.ts';
import { toSample } from '../../src/formats/sample.ts';

/** What reading a text came to. */
export interface Reading {
  readonly format: string;
  readonly conversations: readonly FoundConversation[];
  readonly leftOut: Readonly<Record<string, number>>;
  /** The words of what is left out. */
  readonly leftOutWords: readonly string[];
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

interface ReadingOptions extends Selection {
  readonly file?: string;
  readonly names?: ReadonlyMap<string, string>;
  /** How long the pieces are in which the text comes, in characters. */
  readonly pieces?: readonly number[];
}

function toPieces(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  let at = 0;
  for (let next = 0; at < text.length; next += 1) {
    const size = Math.max(1, sizes[next % sizes.length] ?? text.length);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** Reads a text as an import does, in pieces. */
export function readAll(
  text: string,
  { file = '', names, pieces = [1024 * 1024], ...selection }: ReadingOptions = {},
): Reading {
  const sample = toSample(text, file, true);
  const reader = findReader(sample);
  const chunks = toPieces(text, pieces);
  const survey = reader.survey?.();
  for (const chunk of chunks) survey?.write(chunk);
  survey?.end();
  const conversations: FoundConversation[] = [];
  const leftOut: Record<string, number> = {};
  const leftOutWords: string[] = [];
  const [faults, notes]: [string[], string[]] = [[], []];
  const out = createAssembler(selection, {
    onConversation: (conversation) => conversations.push(conversation),
    onLeftOut: (what, _at, text) => {
      // What a program calls the kind of a message stands behind the reason.
      const kind = what.replace(/ \([^()]*\)$/u, '');
      leftOut[kind] = (leftOut[kind] ?? 0) + 1;
      leftOutWords.push(text);
    },
    onFault: (at, reason) => faults.push(`${at}: ${reason}`),
    onNote: (note) => notes.push(note),
  });
  const sink = reader.read(out, { file, sample, names, date: selection.date, ...survey?.result() });
  for (const chunk of chunks) sink.write(chunk);
  sink.end();
  out.end();
  return { format: reader.name, conversations, leftOut, leftOutWords, faults, notes };
}

/** Every turn as `time speaker: words`, conversation by conversation. */
export function toLines({ conversations }: Reading): readonly string[] {
  return conversations.flatMap(({ sessions }) =>
    sessions.flatMap(({ turns }) => turns.map(({ at, speaker, text }) => `${at ?? '-'} ${speaker}: ${text}`)),
  );
}
