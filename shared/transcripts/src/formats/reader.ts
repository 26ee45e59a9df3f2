import type { Moment } from '@contextloom/retrieval/time';
import type { Conversation } from '../transcript.ts';
import type { GraphPart } from './graph-part.ts';

/** What a reader gets besides the text. */
export interface ReaderOptions {
  /** When the conversation took place, for turns without a date of their own. */
  readonly date?: Moment | undefined;
  /** The path of the file, or of the entry in its archive. */
  readonly file: string;
  readonly sample: Sample;
  /** Which of two numbers in a date is the day; decided over the whole file. */
  readonly dayOrder?: DayOrder | undefined;
  /** Names of people or channels by their ids, from another file of the same export. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

/** Whether a day comes first in a date of numbers, or the month. */
export type DayOrder = 'day-first' | 'month-first' | 'year-first';

/** A turn as a reader finds it. */
export interface FoundTurn {
  readonly id?: string | undefined;
  /** The name that the export shows for who speaks; absent when it shows none. */
  readonly speaker?: string | undefined;
  /**
   * `user` and `assistant` where the export says who is which, `participant` for somebody of a chat among people, `other` for what no
   * chat is: a mail, what a program has kept; absent where the name alone tells.
   */
  readonly role?: 'user' | 'assistant' | 'system' | 'participant' | 'other' | undefined;
  readonly text: string;
  /** When it was said, with its offset. */
  readonly at?: Moment | undefined;
  /** When it was said by the clock on the wall, without an offset: `2024-03-05T19:20:00`. */
  readonly wall?: string | undefined;
}

/** What begins a conversation. */
export interface ConversationHead {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
}

/** Where a reader puts what it finds, in the order of the file. */
export interface Out {
  /** Ends the conversation before, if there is one. */
  readonly conversation: (head: ConversationHead) => void;
  readonly turn: (turn: FoundTurn) => void;
  /** Hands on a conversation whose sessions the file itself tells. */
  readonly whole: (conversation: Conversation) => void;
  /** Hands on a part of a graph that another memory program keeps, besides the turns that tell of it. */
  readonly graph: (part: GraphPart) => void;
  /** Names what is no turn and is left out on purpose: why (`system message`), where, and its words. */
  readonly leftOut: (what: string, at: string, text: string) => void;
  /** Names an entry that cannot be read; the rest goes on. */
  readonly fault: (at: string, reason: string, error?: Error) => void;
  /** Tells something about the whole, e.g. which order of day and month was taken. */
  readonly note: (text: string) => void;
}

/** Takes a text in pieces, from the first to the last. */
export interface Sink {
  readonly write: (text: string) => void;
  readonly end: () => void;
}

/** The beginning of a text, as detection sees it. */
export interface Sample {
  readonly file: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** The value of a JSON text, as far as the sample reaches; undefined when it is no JSON. */
  readonly json: unknown;
  /** The values of the first lines, when each is a JSON object. */
  readonly jsonLines: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** Looks through a whole text before it is read, for what no single line can tell. */
export interface Survey extends Sink {
  readonly result: () => Pick<ReaderOptions, 'dayOrder'>;
}

/** A format that conversations come in. */
export interface Reader {
  /** What `--format` calls it. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** Whether a text has this format, by its marks alone. */
  readonly detect: (sample: Sample) => boolean;
  readonly survey?: () => Survey;
  readonly read: (out: Out, options: ReaderOptions) => Sink;
}
