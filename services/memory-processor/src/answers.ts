import type { ModelUsage } from '@contextloom/contracts';
import type { Decision } from './domain/decisions/decision.ts';
import type { DatedFact } from './domain/decisions/review.ts';
import type { Usage } from './domain/extractor.ts';
import type { FailedPiece, NotSaved } from './domain/ingest/extract-window.ts';
import type { RetractedCounts } from './domain/ingest/recording.ts';
import type { MemoryProcessor } from './domain/memory-processor.ts';

/** To a millionth of a dollar: one call may cost less than a cent. */
const roundPrice = (usd: number): number => Math.round(usd * 1_000_000) / 1_000_000;

/** Use of the model, as answers show it. */
export function toModelUsage(usage: Usage, processor: MemoryProcessor): ModelUsage {
  const { usd } = processor.price(usage);
  return {
    calls: usage.calls,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...(usd !== undefined && { price_usd: roundPrice(usd) }),
  };
}

/** What reading came to besides its memories, as answers show it; without a model there is nothing to tell. */
export function toReadingFields(
  { failed, usage }: { readonly failed: readonly FailedPiece[]; readonly usage: Usage },
  processor: MemoryProcessor,
) {
  if (processor.extractor.kind === 'rules') return {};
  return { usage: toModelUsage(usage, processor), failed: failed.map(({ source, reason }) => ({ source, reason })) };
}

/** How much of what was read rests on a person's word, as answers show it; nothing where nothing does. */
export function toRetractedFields({ corrected, deleted }: RetractedCounts) {
  return {
    ...(corrected > 0 && { kept_as_corrected: corrected }),
    ...(deleted > 0 && { left_out_deleted: deleted }),
  };
}

/** The same in words. */
export function toRetractedSentences({ corrected, deleted }: RetractedCounts): readonly string[] {
  const count = (n: number): string => `${n} ${n === 1 ? 'memory' : 'memories'}`;
  return [
    ...(corrected > 0 ? [`Kept ${count(corrected)} as corrected by the user.`] : []),
    ...(deleted > 0 ? [`Left out ${count(deleted)} that the user deleted.`] : []),
  ];
}

/** Facts that were not saved, as answers show them. */
export function toNotSaved(notSaved: readonly NotSaved[]): NotSaved[] {
  return notSaved.map((one) => ({ ...one }));
}

/** A decision as answers show it. */
export function toDecisionAnswer({ fact, known, decidedBy, promptVersion, decidedAt, undoneAt, ...rest }: Decision) {
  return {
    ...rest,
    fact: fact.text,
    known: known.text,
    decided_by: decidedBy,
    prompt_version: promptVersion,
    decided_at: decidedAt,
    ...(undoneAt !== undefined && { undone_at: undoneAt }),
  };
}

/** A fact as answers show it. */
export function toFactAnswer({
  document: { doc_id: id, content, metadata },
  validFrom,
  validTo,
  supersededBy,
}: DatedFact) {
  const { occurred_at: occurredAt, occurred_on: occurredOn, ended_at: endedAt, ended_on: endedOn, mentions } = metadata;
  return {
    id,
    content,
    said_at: validFrom,
    ...(typeof occurredAt === 'string' && { occurred_at: occurredAt }),
    ...(typeof occurredOn === 'string' && { occurred_on: occurredOn }),
    ...(typeof endedAt === 'string' && { ended_at: endedAt }),
    ...(typeof endedOn === 'string' && { ended_on: endedOn }),
    mentions: typeof mentions === 'number' ? mentions : 1,
    ...(validTo !== undefined && { valid_to: validTo }),
    ...(supersededBy !== undefined && { superseded_by: supersededBy }),
  };
}
