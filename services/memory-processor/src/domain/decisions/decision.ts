import { DECISION_TAG, type JsonObject, readRetraction, retractionKeys } from '@contextloom/contracts';
import { z } from 'zod';
import { toDecisionId } from '../memory-id.ts';
import type { MemoryDocument } from '../memory-store.ts';

/**
 * How a new fact stands to one that is known: it says the same; what was so before is so no more; or what was written down
 * was never so. A fact that is none of these to any other is simply new, and needs no record.
 */
export const relationSchema = z.enum(['same', 'replaces', 'corrects']);
/** How a new fact stands to one that is known. */
export type Relation = z.output<typeof relationSchema>;

/** Who decided: a model by name with the version of its prompt, or the rule that equal texts are one. */
export interface Decider {
  readonly name: string;
  readonly promptVersion: string;
}

/** One decision, as it was made. */
export interface Decision {
  readonly id: string;
  readonly relation: Relation;
  /** The fact that was new, and the one that was known. */
  readonly fact: { readonly id: string; readonly text: string };
  readonly known: { readonly id: string; readonly text: string };
  /** Where the new fact was said: transcript and turns. */
  readonly evidence: string;
  readonly decidedBy: string;
  readonly promptVersion: string;
  /** ISO 8601 UTC. */
  readonly decidedAt: string;
  readonly undoneAt?: string | undefined;
}

/** What a decision is made of. */
export interface Decided {
  readonly relation: Relation;
  readonly fact: MemoryDocument;
  readonly known: MemoryDocument;
  readonly by: Decider;
  readonly at: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The document that keeps a decision; of a fact that was not stored, it keeps the fact too, so that it can be undone. */
export function toDecisionDocument({ relation, fact, known, by, at }: Decided): MemoryDocument {
  const { user_id: user, transcript, turns } = fact.metadata;
  return {
    doc_id: toDecisionId(fact.doc_id, known.doc_id),
    content: `${relation}: ${fact.content}\n${known.content}`,
    tags: [DECISION_TAG],
    metadata: {
      user_id: textOf(user),
      relation,
      fact: fact.doc_id,
      fact_text: fact.content,
      known: known.doc_id,
      known_text: known.content,
      evidence: `${textOf(transcript)} ${textOf(turns)}`.trim(),
      decided_by: by.name,
      prompt_version: by.promptVersion,
      created_at: at,
      ...(relation === 'same' && { unstored: JSON.stringify(fact) }),
    },
  };
}

/** Reads a decision back; undefined for a document that is none. */
export function parseDecision({ doc_id: id, metadata }: MemoryDocument): Decision | undefined {
  const relation = relationSchema.safeParse(metadata['relation']);
  if (!relation.success) return undefined;
  const undone = metadata['undone_at'];
  return {
    id,
    relation: relation.data,
    fact: { id: textOf(metadata['fact']), text: textOf(metadata['fact_text']) },
    known: { id: textOf(metadata['known']), text: textOf(metadata['known_text']) },
    evidence: textOf(metadata['evidence']),
    decidedBy: textOf(metadata['decided_by']),
    promptVersion: textOf(metadata['prompt_version']),
    decidedAt: textOf(metadata['created_at']),
    ...(typeof undone === 'string' && { undoneAt: undone }),
  };
}

/** The fact that a decision kept from being stored. */
export function readUnstored({ metadata }: MemoryDocument): MemoryDocument | undefined {
  const text = metadata['unstored'];
  return typeof text === 'string' ? (JSON.parse(text) as MemoryDocument) : undefined;
}

/** When a fact was said, as far as that is known: what was said later is newer, whenever it came here. */
export function toSaidAt({ metadata }: { readonly metadata: JsonObject }): string {
  return textOf(metadata['said_at']) || textOf(metadata['created_at']);
}

/** Since when a fact is somebody's word: what a person corrected is theirs of that time, and only what is said later replaces it. */
export function toWordAt(fact: { readonly metadata: JsonObject }): string {
  const { [retractionKeys.at]: correctedAt } = fact.metadata;
  return readRetraction(fact.metadata) === undefined ? toSaidAt(fact) : textOf(correctedAt) || toSaidAt(fact);
}
