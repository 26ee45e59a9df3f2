import { createHash } from 'node:crypto';
import { toInstant } from '@contextloom/retrieval/time';
import type { Found, FoundConversation } from '@contextloom/transcripts';
import type { RetractedCounts } from '../domain/ingest/recording.ts';

/** A speaker and how often they speak. */
export interface SpeakerCount {
  readonly name: string;
  readonly turns: number;
  readonly is_user: boolean;
}

/** Something that was left out, where it stands, and why. */
export interface LeftOutLine {
  readonly place: string;
  readonly reason: string;
  /** Its words, as far as they go into a few lines; empty where it has none. */
  readonly text: string;
}

/** Which of the left-out lines a preview lists. */
export interface LeftOutPage {
  readonly from: number;
  readonly count: number;
}

/** What is in a source, and what an import would leave out. */
export interface Preview {
  readonly source: string;
  /** The names of the formats that were found. */
  readonly formats: readonly string[];
  /** Encodings other than UTF-8. */
  readonly encodings: readonly string[];
  readonly conversations: number;
  /** What the conversations are called, in the order of the file; the first hundred. */
  readonly titles: readonly string[];
  readonly turns: number;
  readonly undated_turns: number;
  /** The most talkative first; at most a hundred. */
  readonly speakers: readonly SpeakerCount[];
  /** The first and the last time, ISO 8601 UTC. */
  readonly from?: string;
  readonly to?: string;
  /** What goes into personal memory too; absent of sources without a graph. */
  readonly graph?: { readonly entities: number; readonly relations: number };
  /** How often each reason comes. */
  readonly left_out: Readonly<Record<string, number>>;
  /** What was left out, message by message: a page of it. */
  readonly left_out_lines: readonly LeftOutLine[];
  /** How many of them there are. */
  readonly left_out_count: number;
  /** Memories that stay as the user corrected them, and those that are left out since the user deleted them. */
  readonly kept_as_corrected: number;
  readonly deleted: number;
  readonly faults: readonly { readonly place: string; readonly reason: string }[];
  /** How many faults there are; the first hundred are listed. */
  readonly fault_count: number;
  readonly notes: readonly string[];
}

const [MAX_SPEAKERS, MAX_FAULTS, MAX_TITLES] = [100, 100, 100];
/** The page that is listed where none is requested. */
const FIRST_PAGE: LeftOutPage = { from: 0, count: 100 };
/** So much of a left-out message is shown, in characters. */
const MAX_SHOWN = 500;

const toShown = (text: string): string => {
  const own = text.trim();
  return own.length <= MAX_SHOWN ? own : `${own.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/u, '')}…`;
};
/** So many different names are counted; a chat of more people shows the first of them. */
const MAX_NAMES = 10_000;

/** Counts what is found in a source. @param page which of the left-out lines are listed */
export function createPreview(source: string, { from, count }: LeftOutPage = FIRST_PAGE) {
  const digest = createHash('sha256');
  const graph = { entities: 0, relations: 0 };
  const counts = { conversations: 0, turns: 0, undated: 0, faults: 0, leftOut: 0 };
  const [formats, encodings, notes] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const speakers = new Map<string, number>();
  const leftOut = new Map<string, number>();
  const leftOutLines: LeftOutLine[] = [];
  const titles: string[] = [];
  const faults: { place: string; reason: string }[] = [];
  const period: { from?: string; to?: string } = {};
  const addConversation = (conversation: FoundConversation): void => {
    // The parts of a long conversation are one.
    if (conversation.part === undefined) {
      counts.conversations += 1;
      const title = (conversation.title ?? '').replace(/\s+/gu, ' ').trim();
      if (title !== '' && titles.length < MAX_TITLES) titles.push(toShown(title));
    }
    for (const { date, turns } of conversation.sessions) {
      for (const { at = date, speaker } of turns) {
        counts.turns += 1;
        if (at === undefined) counts.undated += 1;
        else {
          const instant = toInstant(at);
          if (period.from === undefined || instant < period.from) period.from = instant;
          if (period.to === undefined || instant > period.to) period.to = instant;
        }
        if (speakers.has(speaker) || speakers.size < MAX_NAMES) speakers.set(speaker, (speakers.get(speaker) ?? 0) + 1);
      }
    }
  };
  const add = (found: Found): void => {
    if (found.kind === 'conversation') addConversation(found.conversation);
    else if (found.kind === 'graph') graph[found.part.kind === 'entity' ? 'entities' : 'relations'] += 1;
    else if (found.kind === 'left out') {
      leftOut.set(found.what, (leftOut.get(found.what) ?? 0) + 1);
      if (counts.leftOut >= from && leftOutLines.length < count)
        leftOutLines.push({ place: found.path, reason: found.what, text: toShown(found.text) });
      counts.leftOut += 1;
    } else if (found.kind === 'note') notes.add(found.text);
    else if (found.kind === 'fault') {
      counts.faults += 1;
      if (faults.length < MAX_FAULTS) faults.push({ place: found.path, reason: found.reason });
    } else if (found.kind === 'file') {
      formats.add(found.format);
      if (found.encoding !== 'utf-8') encodings.add(found.encoding);
      digest.update(found.digest);
    }
  };
  const retracted = { corrected: 0, deleted: 0 };
  const addRetracted = (counted: RetractedCounts): void => {
    retracted.corrected += counted.corrected;
    retracted.deleted += counted.deleted;
  };
  const result = (): Preview & { readonly digest: string } => ({
    source,
    formats: [...formats],
    encodings: [...encodings],
    conversations: counts.conversations,
    titles,
    turns: counts.turns,
    undated_turns: counts.undated,
    speakers: [...speakers]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_SPEAKERS)
      .map(([name, turns]) => ({ name, turns, is_user: name === 'user' })),
    ...period,
    ...(graph.entities + graph.relations > 0 && { graph: { ...graph } }),
    left_out: Object.fromEntries(leftOut),
    left_out_lines: leftOutLines,
    left_out_count: counts.leftOut,
    kept_as_corrected: retracted.corrected,
    deleted: retracted.deleted,
    faults,
    fault_count: counts.faults,
    notes: [...notes],
    digest: digest.digest('hex'),
  });
  return { add, addRetracted, result };
}
