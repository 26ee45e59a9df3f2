import type { ExtractorInfo } from '@contextloom/contracts';
import type { Extracted } from './extract-window.ts';
import { toFactId } from './memory-id.ts';
import type { RecordedMemory } from './memory-store.ts';
import { RULES } from './rules-name.ts';

/** What a run wants of the windows that are recorded. */
export interface Wanted {
  readonly kind: ExtractorInfo['kind'];
  /** Facts of little importance too. */
  readonly forceSave: boolean;
  /** Those windows again from which no facts could be drawn. */
  readonly retryFailed: boolean;
}

/**
 * Whether a window need not be read again: it is kept as it stands, no better reader is at hand than the one that read it,
 * and nothing of it was left out that is now wanted. What one model has read, another does not read again.
 */
export function isRecorded(content: string, recorded: RecordedMemory | undefined, wanted: Wanted): boolean {
  if (recorded?.content !== content) return false;
  const isByRules = recorded.extractor === undefined || recorded.extractor === RULES;
  if (isByRules && wanted.kind === 'model') return false;
  if (recorded.hasFailed && wanted.retryFailed) return false;
  return !wanted.forceSave || recorded.leftOut === 0;
}

/** Facts of earlier versions of windows that a run which was cut off has left behind. */
export function findOrphans(recorded: ReadonlyMap<string, RecordedMemory>): readonly string[] {
  return [...recorded].flatMap(([id, { episode = '' }]) => {
    const count = recorded.get(episode)?.facts;
    if (count === undefined) return [];
    const own = Array.from({ length: count }, (_, at) => toFactId(episode, at + 1));
    return own.includes(id) ? [] : [id];
  });
}

/** The facts of an earlier version of a window that its new version no longer has. */
export function findLeftovers(
  { documents, isFinal }: Extracted,
  recorded: ReadonlyMap<string, RecordedMemory>,
): readonly string[] {
  // A window that the model did not read says nothing about the facts of the last one that it read.
  if (!isFinal) return [];
  const own = new Set(documents.map(({ doc_id: id }) => id));
  return [...recorded]
    .filter(([id, { episode }]) => episode !== undefined && own.has(episode) && !own.has(id))
    .map(([id]) => id);
}
