import {
  type GraphCounts,
  type GraphEntity,
  type GraphRelation,
  isContextloomError,
  MAX_GRAPH_PART,
} from '@contextloom/contracts';
import { type GraphPart, type ReadSourceOptions, readSource, type Source } from '@contextloom/transcripts';
import type { GraphStore } from '../domain/graph-store.ts';
import { GRAPH_ITEM, type Journal } from '../domain/imports/journal.ts';

/** What is read, and where it goes. */
export interface ImportGraphOptions {
  readonly id: string;
  readonly userId: string;
  readonly sources: readonly Source[];
  readonly read: ReadSourceOptions;
  readonly graph: GraphStore;
}

/** What became of the graph of an import: what was added of it and what was known, or why it was left out. */
export type GraphOutcome =
  | { readonly added: GraphCounts; readonly already_known: GraphCounts }
  | { readonly left_out: string };

/** So many characters of observations go into one batch, far below what one message may have. */
const MAX_BATCH_LENGTH = 500_000;
/** So many observations of one entity go into one batch. */
const MAX_OBSERVATIONS_A_BATCH = 1_000;

const lengthOf = ({ observations }: GraphEntity): number =>
  observations.reduce((length, one) => length + one.length, 0);

/** An entity in parts that one call takes; the store joins them by name. */
function* cutEntity({
  name,
  type: kind,
  observations,
}: Extract<GraphPart, { kind: 'entity' }>): Generator<GraphEntity> {
  let own: string[] = [];
  let length = 0;
  for (const one of observations) {
    length += one.length;
    if (own.length >= MAX_OBSERVATIONS_A_BATCH || (own.length > 0 && length > MAX_BATCH_LENGTH)) {
      yield { name, kind, observations: own };
      [own, length] = [[], one.length];
    }
    own.push(one);
  }
  yield { name, kind, observations: own };
}

const sum = (one: GraphCounts, other: GraphCounts): GraphCounts => ({
  entities: one.entities + other.entities,
  observations: one.observations + other.observations,
  relations: one.relations + other.relations,
});

/** Gathers parts into batches, and adds each once it is full. */
function createBatches({ id, userId, graph }: ImportGraphOptions) {
  const zero: GraphCounts = { entities: 0, observations: 0, relations: 0 };
  let [added, known] = [zero, zero];
  let entities: GraphEntity[] = [];
  let relations: GraphRelation[] = [];
  let length = 0;
  /** Why the store takes nothing; undefined when it does. */
  const flush = async (): Promise<string | undefined> => {
    if (entities.length + relations.length === 0) return undefined;
    const answer = await graph.add(userId, id, { entities, relations });
    [entities, relations, length] = [[], [], 0];
    if ('refused' in answer) return answer.refused;
    added = sum(added, answer.added);
    known = sum(known, answer.already_known);
    return undefined;
  };
  const flushIfFull = async (): Promise<string | undefined> => {
    const isFull = entities.length + relations.length >= MAX_GRAPH_PART || length >= MAX_BATCH_LENGTH;
    return isFull ? flush() : undefined;
  };
  const put = async (part: GraphPart): Promise<string | undefined> => {
    if (part.kind === 'relation') {
      relations.push({ from: part.from, to: part.to, relation_type: part.type });
      return flushIfFull();
    }
    for (const entity of cutEntity(part)) {
      entities.push(entity);
      length += lengthOf(entity);
      const refused = await flushIfFull();
      if (refused !== undefined) return refused;
    }
    return undefined;
  };
  return { put, flush, toOutcome: (): GraphOutcome => ({ added, already_known: known }) };
}

/**
 * Adds the graph of the sources to personal memory: all entities first, then the relations, which name them. Done again, it adds
 * what is missing.
 */
async function importGraph(options: ImportGraphOptions): Promise<GraphOutcome> {
  const { put, flush, toOutcome } = createBatches(options);
  for (const kind of ['entity', 'relation'] as const) {
    for (const source of options.sources) {
      for await (const one of readSource(source, options.read)) {
        if (one.kind !== 'graph' || one.part.kind !== kind) continue;
        const refused = await put(one.part);
        if (refused !== undefined) return { left_out: refused };
      }
    }
    const refused = await flush();
    if (refused !== undefined) return { left_out: refused };
  }
  return toOutcome();
}

/** Adds the graph of the sources to personal memory; undefined where that failed, as the journal tells. */
export async function keepGraph(options: ImportGraphOptions, journal: Journal): Promise<GraphOutcome | undefined> {
  const { id } = options;
  const item = { ...GRAPH_ITEM, part: 0 };
  const before = (await journal.getItem(id, item.key))?.saved ?? 0;
  const fail = (reason: string): Promise<void> =>
    journal.settle(id, item, { state: 'failed', saved: before, reason, retryable: true });
  // Undoing asks personal memory only where the journal says that something went there.
  await fail('the import was cut off');
  try {
    const outcome = await importGraph(options);
    const added = 'added' in outcome ? outcome.added.entities + outcome.added.relations : 0;
    const saved = before + added;
    await journal.settle(id, item, 'added' in outcome ? { state: 'saved', saved } : { state: 'nothing' });
    return outcome;
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    await fail(error.message);
    return undefined;
  }
}
