import { ContextloomError, SOURCE_CHANGED_KEY } from '@contextloom/contracts';
import type { MemoryDocument, MemoryStore } from '../memory-store.ts';
import { type Decision, parseDecision, readUnstored, toSaidAt } from './decision.ts';
import { isCurrent, toRestored, toUncounted } from './supersede.ts';

/** What reviewing decisions works with. */
export interface ReviewDeps {
  readonly memories: MemoryStore;
  readonly clock: () => Date;
}

/** The decisions about one user's facts, newest first. */
export async function listDecisions(userId: string, { memories }: ReviewDeps): Promise<readonly Decision[]> {
  const documents = await memories.listDecisions(userId);
  return documents
    .flatMap((document) => parseDecision(document) ?? [])
    .sort((a, b) => (a.decidedAt < b.decidedAt ? 1 : -1));
}

/** A fact with the time in which it is so. */
export interface DatedFact {
  readonly document: MemoryDocument;
  /** When it was said, ISO 8601. */
  readonly validFrom: string;
  /** From when on it was so no more; absent of a fact that is so now. */
  readonly validTo?: string;
  readonly supersededBy?: string;
}

const toDated = (document: MemoryDocument): DatedFact => {
  const { valid_to: to, superseded_by: by } = document.metadata;
  return {
    document,
    validFrom: toSaidAt(document),
    ...(typeof to === 'string' && { validTo: to }),
    ...(typeof by === 'string' && { supersededBy: by }),
  };
};

/** Which facts of a user are wanted. */
export interface FactQuery {
  readonly userId: string;
  /** Only what was so at this time, ISO 8601. */
  readonly asOf?: string | undefined;
  /** Those too whose place another one has taken. */
  readonly includeSuperseded?: boolean | undefined;
}

/** A user's facts in the order in which they were said: what is so now, was so at a time, or all that was ever written down. */
export async function listFacts(
  { userId, asOf, includeSuperseded = false }: FactQuery,
  { memories }: Pick<ReviewDeps, 'memories'>,
): Promise<readonly DatedFact[]> {
  const facts = (await memories.listFacts(userId)).map(toDated);
  const time = asOf === undefined ? undefined : Date.parse(asOf);
  const wanted = facts.filter(({ document, validFrom, validTo }) => {
    if (time === undefined) return includeSuperseded || isCurrent(document);
    // What was corrected was never so.
    if (document.metadata['superseded_how'] === 'corrects') return false;
    // Nor is that known of what was drawn from other words.
    if (document.metadata[SOURCE_CHANGED_KEY] !== undefined) return false;
    return Date.parse(validFrom) <= time && (validTo === undefined || time < Date.parse(validTo));
  });
  return wanted.sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1));
}

/**
 * Undoes a decision: what was superseded is so again, next to what took its place; what was taken for a repeat is stored.
 * @throws ContextloomError `not_found` for an unknown decision, `conflict` for one that is undone already
 */
export async function undoDecision(userId: string, id: string, { memories, clock }: ReviewDeps): Promise<Decision> {
  const kept = await memories.get(userId, id);
  const decision = kept === undefined ? undefined : parseDecision(kept);
  if (kept === undefined || decision === undefined) {
    throw new ContextloomError('not_found', `there is no decision "${id}" of this user`, { field: 'decision_id' });
  }
  if (decision.undoneAt !== undefined) {
    throw new ContextloomError('conflict', `the decision "${id}" is undone already`, { field: 'decision_id' });
  }
  const undoneAt = clock().toISOString();
  const known = await memories.get(userId, decision.known.id);
  const unstored = readUnstored(kept);
  const isItsWork = decision.relation === 'same' || known?.metadata['superseded_by'] === decision.fact.id;
  const changed =
    known === undefined || !isItsWork
      ? []
      : [unstored === undefined ? toRestored(known) : toUncounted(known, unstored)];
  await memories.save([
    ...changed,
    ...(unstored === undefined ? [] : [unstored]),
    { ...kept, metadata: { ...kept.metadata, undone_at: undoneAt } },
  ]);
  return { ...decision, undoneAt };
}
