import type { ExtractorInfo } from '@contextloom/contracts';
import { toFactId } from '../memory-id.ts';
import type { RecordedMemory } from '../memory-store.ts';
import type { Retractions } from '../retractions/retractions.ts';
import { isSettled } from '../retractions/without-retracted.ts';
import { RULES } from '../rules-name.ts';
import { countKnownTurns, type EpisodeWindow } from '../windows/episodes.ts';
import { endsBefore, isSameContent } from '../windows/window-turns.ts';
import type { Extracted } from './extract-window.ts';

/** What a run wants of the windows that are recorded. */
export interface Wanted {
  readonly kind: ExtractorInfo['kind'];
  /** Facts of little importance too. */
  readonly forceSave: boolean;
  /** Those windows again from which no facts could be drawn. */
  readonly retryFailed: boolean;
  /** All windows again, as after another model or prompt was chosen. */
  readonly reread?: boolean;
  /** When reading again began, ISO 8601 UTC: what was saved since then is read again already. */
  readonly rereadSince?: string | undefined;
}

/**
 * Whether a window need not be read again: it is kept as it stands, no better reader is at hand than the one that read it,
 * and nothing of it was left out that is now wanted. What one model has read, another does not read again.
 */
export function isRecorded(content: string, recorded: RecordedMemory | undefined, wanted: Wanted): boolean {
  // A shorter version of a window says nothing that is not kept.
  if (recorded === undefined) return false;
  if (!isSameContent(content, recorded.content) && !endsBefore(content, recorded.content)) return false;
  const isByRules = recorded.extractor === undefined || recorded.extractor === RULES;
  if (isByRules && wanted.kind === 'model') return false;
  const isWantedAgain = wanted.reread === true || (recorded.hasFailed && wanted.retryFailed);
  if (isWantedAgain && !isReadSince(recorded, wanted)) return false;
  return !wanted.forceSave || recorded.leftOut === 0;
}

const isReadSince = ({ savedAt }: RecordedMemory, { rereadSince }: Wanted): boolean =>
  savedAt !== undefined && rereadSince !== undefined && savedAt >= rereadSince;

/** Whether a model has drawn facts from these very words of a window. */
export function isReadBefore(content: string, recorded: RecordedMemory | undefined): recorded is RecordedMemory {
  return (
    recorded !== undefined &&
    isSameContent(content, recorded.content) &&
    recorded.extractor !== RULES &&
    (recorded.facts ?? 0) > 0
  );
}

/** What a model has read of an earlier version of a window, if only what has come since is to be read. */
export function toEarlier(window: EpisodeWindow, recorded: RecordedMemory | undefined, wanted: Wanted) {
  if (recorded?.facts === undefined || wanted.kind !== 'model' || wanted.reread === true) return undefined;
  const { extractor, hasFailed, leftOut, content } = recorded;
  if (extractor === undefined || extractor === RULES || hasFailed || (wanted.forceSave && leftOut > 0))
    return undefined;
  const known = countKnownTurns(window, content);
  return known === undefined ? undefined : { earlier: recorded, known };
}

/** Facts of earlier versions of windows that a run which was cut off has left behind. */
export function findOrphans(
  recorded: ReadonlyMap<string, RecordedMemory>,
  retractions: Retractions,
): readonly string[] {
  return [...recorded].flatMap(([id, memory]) => {
    const { episode = '' } = memory;
    if (isSettled(id, memory, retractions)) return [];
    const count = recorded.get(episode)?.facts;
    if (count === undefined) return [];
    const own = Array.from({ length: count }, (_, at) => toFactId(episode, at + 1));
    return own.includes(id) ? [] : [id];
  });
}

/** The facts of an earlier version of a window that its new version no longer has. */
export function findLeftovers(
  { episodeId, documents, isFinal, knownFacts }: Extracted,
  recorded: ReadonlyMap<string, RecordedMemory>,
  retractions: Retractions,
): readonly string[] {
  // A window that the model did not read says nothing about the facts of the last one that it read.
  if (!isFinal) return [];
  const own = new Set(documents.map(({ doc_id: id }) => id));
  for (let ordinal = 1; ordinal <= knownFacts; ordinal += 1) own.add(toFactId(episodeId, ordinal));
  return [...recorded]
    .filter(([id, memory]) => memory.episode === episodeId && !own.has(id) && !isSettled(id, memory, retractions))
    .map(([id]) => id);
}
