import { ContextloomError } from '@contextloom/contracts';

/** Names a vector space. */
export interface VectorSpace {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
}

/** What a database is prepared for. */
export interface PrepareOptions {
  readonly space: VectorSpace;
  /** What to do with vectors of another space: `rebuild` forgets them, and they are made again in time. */
  readonly onMismatch: 'refuse' | 'rebuild';
}

/** Whether the lexical embedder of another version made the vectors: no setting brings it back, and this one's cost nothing. */
const isOfAnotherVersion = (a: VectorSpace, b: VectorSpace): boolean =>
  a.provider === 'lexical' && b.provider === 'lexical' && a.dimensions === b.dimensions;

const isSame = (a: VectorSpace, b: VectorSpace): boolean =>
  a.provider === b.provider && a.model === b.model && a.dimensions === b.dimensions;

/**
 * Whether the vectors of a database have to be made again.
 * @throws ContextloomError `conflict` for vectors of another space, where those are not to be forgotten
 */
export function mustRebuild(stored: VectorSpace, { space, onMismatch }: PrepareOptions): boolean {
  if (isSame(stored, space)) return false;
  if (onMismatch === 'rebuild' || isOfAnotherVersion(stored, space)) return true;
  const { provider, model, dimensions } = stored;
  const message = `the vectors are those of ${provider} ${model} (${dimensions} dimensions): set EMBEDDING_PROVIDER and EMBEDDING_MODEL to it, or make them again with --reembed`;
  throw new ContextloomError('conflict', message, { field: 'EMBEDDING_PROVIDER' });
}
