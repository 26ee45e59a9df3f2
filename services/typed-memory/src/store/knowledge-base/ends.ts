import { type DocumentInput, EXPIRY_KEY, type StoredDocument } from '@contextloom/contracts';
import type { MemoryDraft } from '../../domain/memory.ts';
import { toDocuments } from './documents.ts';

/** After how many milliseconds the knowledge base forgets a document that does not say when, where a rule is about it. */
export type ToLifetime = (document: Pick<DocumentInput, 'tags' | 'metadata'>) => number | undefined;

/** What a rule is asked about. */
interface RuleOptions {
  readonly userId: string;
  readonly now: Date;
  readonly toLifetime?: ToLifetime | undefined;
}

/** A draft with the end of the words that it takes the place of, if they have one: a correction keeps it. */
export function withEndOf({ metadata }: Pick<StoredDocument, 'metadata'>, draft: MemoryDraft): MemoryDraft {
  const end = metadata[EXPIRY_KEY];
  return draft.expiresAt === undefined && typeof end === 'string' ? { ...draft, expiresAt: end } : draft;
}

/**
 * The draft of a next value with its end: its own, that which a rule gives from now on, or else that of the value before. The knowledge
 * base asks its rules of what is new to it, and not of changes.
 */
export function withNextEnd(
  before: Pick<StoredDocument, 'metadata'>,
  draft: MemoryDraft,
  { userId, now, toLifetime }: RuleOptions,
): MemoryDraft {
  if (draft.expiresAt !== undefined) return draft;
  const lifetime = toLifetime?.(toDocuments(userId, draft, { now })[0]);
  if (lifetime === undefined) return withEndOf(before, draft);
  return { ...draft, expiresAt: new Date(now.getTime() + lifetime).toISOString() };
}
