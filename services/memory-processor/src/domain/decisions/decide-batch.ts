import { EPISODE_TAG } from '@contextloom/contracts';
import type { Usage } from '../extractor.ts';
import type { Extracted } from '../ingest/extract-window.ts';
import type { MemoryDocument } from '../memory-store.ts';
import { type DecideOptions, decideFacts } from './decide-facts.ts';

/** Windows as they are saved once it is decided what their facts are to others. */
export interface DecidedBatch {
  readonly documents: readonly MemoryDocument[];
  /** The windows without the facts that were known. */
  readonly batch: readonly Extracted[];
  readonly usage: Usage | undefined;
}

const isEpisode = ({ tags }: MemoryDocument): boolean => tags.includes(EPISODE_TAG);

/** Decides on the facts of some windows, which come in the order of time. */
export async function decideBatch(batch: readonly Extracted[], options: DecideOptions): Promise<DecidedBatch> {
  const all = batch.flatMap(({ documents }) => documents);
  const { documents, repeated, usage } = await decideFacts(
    all.filter((document) => !isEpisode(document)),
    options,
  );
  const decided = batch.map((extracted): Extracted => {
    const known = extracted.shown.filter(({ id }) => repeated.has(id));
    const notSaved = known.map(({ id, content, importance }) => ({
      content,
      importance,
      reason: `known already: ${repeated.get(id)?.content ?? ''}`,
    }));
    return {
      ...extracted,
      shown: extracted.shown.filter(({ id }) => !repeated.has(id)),
      notSaved: [...extracted.notSaved, ...notSaved],
    };
  });
  // An episode comes last: a window counts as recorded only when its facts are.
  return { documents: [...documents, ...all.filter(isEpisode)], batch: decided, usage };
}
