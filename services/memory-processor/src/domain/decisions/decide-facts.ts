import { MAX_KEYS } from '@contextloom/contracts';
import { toComparableText } from '@contextloom/retrieval';
import { readCalledAt } from '../called-at.ts';
import type { Usage } from '../extractor.ts';
import type { MemoryDocument, MemoryStore, NearMemory } from '../memory-store.ts';
import { type Decider, type Relation, toDecisionDocument, toSaidAt, toWordAt } from './decision.ts';
import { areOfTwoPeople } from './subject.ts';
import { isCurrent, toCounted, toSuperseded } from './supersede.ts';

/** Known facts that each new one is held against. */
const MAX_NEIGHBOURS = 8;
/** Searches at once: the store works on the next while this process reads what the last one found. */
const SEARCHES_AT_ONCE = 4;

/** A statement as a judge reads it. */
export interface Statement {
  readonly text: string;
  /** When it was said, ISO 8601. */
  readonly saidAt: string;
}

/** How one statement stands to earlier ones of the list, by their places in it. */
export interface Verdict {
  readonly fact: number;
  readonly relation: Relation;
  readonly of: readonly number[];
}

/** Says which statements repeat, replace or correct others: a model. */
export interface FactJudge {
  readonly decider: Decider;
  /**
   * @param statements known ones first, then the new ones in the order of time
   * @param firstNew the place of the first new one
   * @returns none when it cannot be reached: then all are new
   */
  readonly judge: (
    statements: readonly Statement[],
    firstNew: number,
    signal: AbortSignal,
  ) => Promise<{ readonly verdicts: readonly Verdict[]; readonly usage: Usage }>;
}

/** What deciding works with; without a judge only equal facts become one. */
export interface DecideOptions {
  readonly memories: MemoryStore;
  readonly judge?: FactJudge | undefined;
  readonly userId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly signal: AbortSignal;
  /** Facts that go once the new ones are kept, by id: no new one repeats them. */
  readonly leftovers?: ReadonlySet<string> | undefined;
}

/** What is to be saved of some new facts, in place of them. */
export interface DecidedFacts {
  /** The facts themselves, but for those that are known, the known ones that changed, and the decisions. */
  readonly documents: readonly MemoryDocument[];
  /** What is known already, by the id that the new fact would have had. */
  readonly repeated: ReadonlyMap<string, MemoryDocument>;
  readonly usage: Usage | undefined;
}

const EQUAL_TEXTS: Decider = { name: 'rules', promptVersion: 'equal-texts' };
const toStatement = (document: MemoryDocument): Statement => ({ text: document.content, saidAt: toSaidAt(document) });

/** The known facts that are nearest to the new ones, each once, in the order of those. */
async function findNeighbours(
  facts: readonly MemoryDocument[],
  { memories, userId, leftovers }: DecideOptions,
): Promise<readonly NearMemory[]> {
  const own = new Set(facts.map(({ doc_id: id }) => id));
  const hits: (readonly NearMemory[])[] = [];
  const rest = facts.entries();
  const search = async (): Promise<void> => {
    for (const [at, { content }] of rest) hits[at] = await memories.findNear(userId, content, MAX_NEIGHBOURS);
  };
  await Promise.all(Array.from({ length: Math.min(SEARCHES_AT_ONCE, facts.length) }, search));
  const found = new Map(hits.flat().map((near) => [near.doc_id, near]));
  return [...found.values()].filter(({ doc_id: id }) => !own.has(id) && leftovers?.has(id) !== true);
}

/** Gives known facts that changed their keys back, which no search shows: they are written whole. */
async function restoreKeys(
  changed: readonly MemoryDocument[],
  known: ReadonlySet<string>,
  { memories, userId }: DecideOptions,
): Promise<readonly MemoryDocument[]> {
  return Promise.all(
    changed.map(async (document) => {
      const stored = known.has(document.doc_id) ? await memories.get(userId, document.doc_id) : undefined;
      if (stored?.keys === undefined) return document;
      return { ...document, keys: [...new Set([...stored.keys, ...(document.keys ?? [])])].slice(0, MAX_KEYS) };
    }),
  );
}

/** What happens twice is told twice in the same words, at two times; the time of a call stands for its day. */
function areTwoEvents(a: MemoryDocument, b: MemoryDocument): boolean {
  const isOfCall = [a, b].some(({ metadata }) => readCalledAt(metadata) !== undefined);
  const [one, other] = [a, b].map(({ metadata: { occurred_at: at } }) => {
    return isOfCall && typeof at === 'string' ? at.slice(0, 10) : at;
  });
  return a.metadata['memory_type'] === 'event' && one !== other;
}

/** Facts on the way to being saved: each step sees what the steps before have made of them. */
function createLedger(known: readonly MemoryDocument[], options: DecideOptions) {
  const states = new Map(known.map((one) => [one.doc_id, one]));
  const changed = new Map<string, MemoryDocument>();
  const repeated = new Map<string, MemoryDocument>();
  const write = (document: MemoryDocument): void => {
    states.set(document.doc_id, document);
    changed.set(document.doc_id, document);
  };
  const note = (relation: Relation, fact: MemoryDocument, other: MemoryDocument, by: Decider): void => {
    const decision = toDecisionDocument({ relation, fact, known: other, by, at: options.at });
    changed.set(decision.doc_id, decision);
  };
  return {
    changed,
    repeated,
    write,
    current: (id: string | undefined): MemoryDocument | undefined => {
      const state = states.get(id ?? '');
      return state !== undefined && isCurrent(state) ? state : undefined;
    },
    findEqual: (fact: MemoryDocument): MemoryDocument | undefined => {
      const text = toComparableText(fact.content);
      return [...states.values()].find((one) => {
        return isCurrent(one) && toComparableText(one.content) === text && !areTwoEvents(one, fact);
      });
    },
    repeat: (fact: MemoryDocument, other: MemoryDocument, by: Decider): void => {
      repeated.set(fact.doc_id, other);
      states.delete(fact.doc_id);
      changed.delete(fact.doc_id);
      write(toCounted(other, fact));
      note('same', fact, other, by);
    },
    supersede: (fact: MemoryDocument, other: MemoryDocument, relation: Relation, by: Decider): void => {
      // What was said later stays, even if the earlier conversation came here later.
      const isLate = toWordAt(fact) < toWordAt(other);
      write(isLate ? toSuperseded(fact, other, relation) : toSuperseded(other, fact, relation));
      note(relation, isLate ? other : fact, isLate ? fact : other, by);
    },
  };
}

/**
 * Holds new facts of one user, in the order of time, against the nearest that are known and against each other. What is said
 * again is counted and not stored; what is replaced or corrected is kept, but is no longer what is so. Equal texts need no
 * judge.
 */
export async function decideFacts(facts: readonly MemoryDocument[], options: DecideOptions): Promise<DecidedFacts> {
  const neighbours = await findNeighbours(facts, options);
  const known = new Set(neighbours.map(({ doc_id: id }) => id));
  const ledger = createLedger(neighbours, options);
  const fresh: MemoryDocument[] = [];
  for (const fact of facts) {
    const equal = ledger.findEqual(fact);
    if (equal !== undefined) ledger.repeat(fact, equal, EQUAL_TEXTS);
    else {
      ledger.write(fact);
      fresh.push(fact);
    }
  }
  const finish = async (usage?: Usage): Promise<DecidedFacts> => {
    const documents = await restoreKeys([...ledger.changed.values()], known, options);
    return { documents, repeated: ledger.repeated, usage };
  };
  const { judge, signal } = options;
  const all = [...neighbours, ...fresh];
  // What is said in one go seldom takes itself back.
  const isAlone = neighbours.length === 0 && new Set(fresh.map(({ metadata }) => metadata['episode'])).size < 2;
  if (judge === undefined || fresh.length === 0 || isAlone) return finish();
  const { verdicts, usage } = await judge.judge(all.map(toStatement), neighbours.length, signal);
  for (const { fact: at, relation, of } of [...verdicts].sort((a, b) => a.fact - b.fact)) {
    for (const place of of) {
      const [fact, other] = [ledger.current(all[at]?.doc_id), ledger.current(all[place]?.doc_id)];
      if (at < neighbours.length || place >= at || fact === undefined || other === undefined) continue;
      if (relation === 'same') {
        // A model takes the sister's town for the user's: the loss of a fact is worse than two that say the same.
        if (areOfTwoPeople(fact.content, other.content)) continue;
        ledger.repeat(fact, other, judge.decider);
        break;
      }
      ledger.supersede(fact, other, relation, judge.decider);
    }
  }
  return finish(usage);
}
