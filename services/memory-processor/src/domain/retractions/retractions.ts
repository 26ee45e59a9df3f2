import type { JsonObject } from '@contextloom/contracts';
import { type Moment, toInstant } from '@contextloom/retrieval/time';
import { toTurnHash } from '../memory-id.ts';
import type { FindRetracted, NextTurn } from '../windows/recorded-windows.ts';
import type { WindowTurn } from '../windows/window-turns.ts';
import { type MemorySource, type Retraction, readSourceOf } from './retraction.ts';

const DAY_MS = 86_400_000;

/** What a person corrected or deleted, as far as a reading of one conversation meets it. */
export interface Retractions {
  readonly findRun: FindRetracted;
  /** The overruled fact whose turns a fact rests on, by its metadata: what is stored of those turns is settled. */
  readonly findSettled: (metadata: JsonObject) => Retraction | undefined;
  /** The retraction of a memory by its id. */
  readonly get: (id: string) => Retraction | undefined;
  /** Those that concern the conversation with these turns. */
  readonly listMet: (windows: readonly ReadWindow[]) => readonly Retraction[];
}

/** A window of the conversation that is read. */
interface ReadWindow {
  readonly turns: readonly WindowTurn[];
  readonly date?: Moment;
  readonly retraction?: Retraction | undefined;
}

const toDay = (moment: Moment | undefined): string | undefined =>
  moment === undefined ? undefined : toInstant(moment).slice(0, 10);

/** Whether two days may be one: clocks of two programs stand in two time zones. */
function mayBeOneDay(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || Math.abs(Date.parse(one) - Date.parse(other)) <= DAY_MS;
}

const isSubset = (some: readonly string[], all: readonly string[]): boolean =>
  some.length > 0 && some.every((one) => all.includes(one));

const areAlike = (one: readonly string[], other: readonly string[]): boolean =>
  isSubset(one, other) || isSubset(other, one);

/** Whether a label is the first of a range such as `D1:1-D1:6`. */
const beginsWith = (turns: string, label: string): boolean => turns === label || turns.startsWith(`${label}-`);

/** How many of the next turns an episode of before turns had fingerprints has, by its labels; at most as many as a window of then had. */
function countByLabels({ turns }: Retraction, next: NextTurn): number {
  for (let count = 1; count <= 64; count += 1) {
    const turn = next(count - 1);
    if (turn === undefined) return 0;
    if (turns === turn.label || turns.endsWith(`-${turn.label}`)) return count;
  }
  return 0;
}

/** Builds what a reading of a conversation asks about what a person overruled. */
export function createRetractions(
  all: readonly Retraction[],
  { userId, transcript }: { readonly userId: string; readonly transcript: string },
): Retractions {
  const hashOf = ({ text }: WindowTurn): string => toTurnHash(userId, text);
  const byId = new Map(all.map((one) => [one.id, one]));
  const episodes = new Map<string, Retraction[]>();
  for (const one of all) {
    const [first = ''] = one.hashes;
    if (one.isEpisode) episodes.set(first, [...(episodes.get(first) ?? []), one]);
  }
  const facts = all.filter(({ isEpisode }) => !isEpisode);

  /** How many of the next turns are those of an episode: all of it, or as much as the conversation has. */
  const countTurns = (one: Retraction, next: NextTurn, isOwn: boolean): number => {
    if (one.hashes.length === 0) return isOwn ? countByLabels(one, next) : 0;
    let count = 0;
    for (const hash of one.hashes) {
      const turn = next(count);
      if (turn === undefined) break;
      if (hashOf(turn) !== hash) return 0;
      count += 1;
    }
    return count;
  };

  const findRun: FindRetracted = (next, session) => {
    const first = episodes.size === 0 ? undefined : next(0);
    if (first === undefined) return undefined;
    const day = toDay(first.at ?? session.date);
    for (const retraction of [...(episodes.get(hashOf(first)) ?? []), ...(episodes.get('') ?? [])]) {
      const isOwn =
        retraction.transcript === transcript &&
        retraction.session === session.label &&
        beginsWith(retraction.turns, first.label);
      const length = countTurns(retraction, next, isOwn);
      if (length > 0 && isOwn) return { retraction, length, isOwn };
      // Another file of the same talk. A single turn, such as "ok", is identified by its day as well.
      const isDated = day !== undefined && retraction.day !== undefined;
      const isTold = length > 1 || (length === 1 && isDated);
      if (isTold && mayBeOneDay(day, retraction.day)) return { retraction, length, isOwn };
    }
    return undefined;
  };

  const settles = (one: Retraction, source: MemorySource): boolean => {
    const isOwn = one.transcript === source.transcript && one.session === source.session;
    if (isOwn && (one.turns === source.turns || haveOneLabel(one.turns, source.turns))) return true;
    const isAgain = one.again.some(
      ({ transcript: other, hashes }) => other === source.transcript && areAlike(hashes, source.hashes),
    );
    if (isAgain) return true;
    const areSame = areAlike(one.hashes, source.hashes);
    return areSame && (isOwn || mayBeOneDay(one.day, source.day));
  };

  const listMet: Retractions['listMet'] = (windows) => {
    const isOf = ({ transcript: own, again }: Retraction): boolean =>
      own === transcript || again.some((one) => one.transcript === transcript);
    const met = new Set(all.filter(isOf));
    for (const { turns, date, retraction } of all.length === met.size ? [] : windows) {
      if (retraction !== undefined) met.add(retraction);
      if (facts.length === 0) continue;
      const hashes = turns.map(hashOf);
      for (const fact of facts) if (isSubset(fact.hashes, hashes) && mayBeOneDay(fact.day, toDay(date))) met.add(fact);
    }
    return [...met];
  };

  return {
    findRun,
    findSettled: (metadata) => {
      const source = facts.length === 0 ? undefined : readSourceOf(metadata);
      return source && facts.find((fact) => settles(fact, source));
    },
    get: (id) => byId.get(id),
    listMet,
  };
}

const haveOneLabel = (one: string, other: string): boolean => {
  const labels = new Set(one.split(','));
  return other.split(',').some((label) => labels.has(label));
};
