import { ContextloomError, DECISION_TAG, type RemovedImport, readRetraction } from '@contextloom/contracts';
import { parseDecision } from '../domain/decisions/decision.ts';
import { undoDecision } from '../domain/decisions/review.ts';
import type { GraphStore } from '../domain/graph-store.ts';
import { GRAPH_ITEM, type Journal } from '../domain/imports/journal.ts';
import type { MemoryStore } from '../domain/memory-store.ts';

/** What undoing works with. */
export interface UndoDeps {
  readonly memories: MemoryStore;
  readonly journal: Journal;
  readonly graph: Pick<GraphStore, 'remove'>;
  readonly clock: () => Date;
}

/** What was taken back. */
export interface Undone {
  readonly id: string;
  readonly user_id: string;
  /** Memories and decisions that are gone. */
  readonly removed: number;
  /** Facts of before that stand again as they did. */
  readonly restored: number;
  /** Memories that stay, since a person corrected them after the import: they rest on that person's word. */
  readonly kept: number;
  /** What personal memory gave up, and what had to stay there; absent of an import without a graph. */
  readonly graph?: RemovedImport;
}

/**
 * Takes an import back with all that came of it: its memories go, and what they had replaced or repeated stands as before. Cut off,
 * it is finished by doing it again.
 * @throws ContextloomError `not_found` for an unknown import
 */
export async function undoImport(id: string, { memories, journal, graph, clock }: UndoDeps): Promise<Undone> {
  const one = await journal.get(id);
  if (one === undefined)
    throw new ContextloomError('not_found', `there is no import "${id}": "contextloom imports" lists them`, {
      field: 'id',
    });
  const { userId } = one;
  const graphState = (await journal.getItem(id, GRAPH_ITEM.key))?.state ?? 'nothing';
  const taken = graphState === 'nothing' ? undefined : await graph.remove(userId, id);
  const imported = await memories.listImported(userId, id);
  const corrected = imported.filter(({ metadata }) => readRetraction(metadata) === 'corrected');
  const kept = new Set(corrected.map(({ doc_id: own }) => own));
  // What a corrected fact has replaced stays replaced.
  const decisions = imported
    .filter(({ tags }) => tags.includes(DECISION_TAG))
    .flatMap((document) => parseDecision(document) ?? []);
  const standing = new Set(decisions.filter(({ fact }) => kept.has(fact.id)).map(({ id: own }) => own));
  const gone = imported.filter(({ doc_id: own }) => !kept.has(own) && !standing.has(own));
  const ids = new Set(gone.map(({ doc_id: own }) => own));
  let restored = 0;
  for (const { id: decision, fact, known, undoneAt } of decisions) {
    if (standing.has(decision)) continue;
    if (undoneAt === undefined) await undoDecision(userId, decision, { memories, clock });
    if (!ids.has(known.id)) restored += 1;
    // Undoing stores a fact that was a repeat: it came of this import too.
    ids.add(fact.id);
  }
  await memories.forget(userId, [...ids]);
  await journal.clear(id);
  await journal.end(id, 'undone');
  return { id, user_id: userId, removed: gone.length, restored, kept: kept.size, ...(taken && { graph: taken }) };
}
