import { ContextloomError } from '@contextloom/contracts';
import type { ContentType } from '@contextloom/contracts/project-memory';
import { createKeyedQueue } from '@contextloom/runtime/scheduling';
import { type ToLifetime, toEnd } from '../ends/to-end.ts';
import { type MemoryContent, toMemoryId, type Verdict } from '../memory.ts';
import { type ProjectName, requireProjectKey } from '../project.ts';
import type { Candidate, MemoryStore, ProjectOrigin } from '../store.ts';
import { toMemoryTime } from '../timestamps.ts';
import type { Analyst } from './analysis.ts';
import type { createPrepare } from './prepare.ts';

/** A memory as a caller sends it. */
export interface IngestRequest extends ProjectName {
  readonly machine_name?: string | undefined;
  readonly content_type: ContentType;
  readonly content: string;
  readonly ts?: number | undefined;
  /** When it is forgotten, ISO 8601; without it the end that a replaced memory has stays, unless a rule says another. */
  readonly expires_at?: string | undefined;
  /** The id of a memory whose place this one takes. */
  readonly replaces?: string | undefined;
}

/** What became of it. */
export interface IngestAnswer {
  readonly id: string;
  readonly status: 'created' | 'updated' | 'skipped';
  /** Unix seconds. */
  readonly ts: number;
  /** Stored memories that may be about the same subject, the nearest first, where no model ruled on them. */
  readonly candidates: readonly Candidate[];
}

/** What memories are taken in with. */
export interface IngestOptions {
  readonly ownerId: string;
  readonly store: Pick<MemoryStore, 'commit'>;
  readonly analyst: Pick<Analyst, 'arbitrate'>;
  readonly prepare: ReturnType<typeof createPrepare>;
  /** From this cosine on, two memories may be about one subject. */
  readonly sameSubject: number;
  /** After how long a memory is forgotten that does not say when. */
  readonly toLifetime?: ToLifetime | undefined;
  readonly clock: () => Date;
  /** Makes unique texts for ids. */
  readonly newId: () => string;
}

/** Longest content, in bytes of UTF-8. */
const MAX_BYTES = 1_000_000;
/** How often a verdict is requested again because the project changed meanwhile; other processes alone can change it. */
const ATTEMPTS = 50;

/**
 * Refuses texts that no memory can have.
 * @throws ContextloomError `invalid` or `too_large`
 */
export function requireContent(content: string): void {
  const refuse = (problem: string, code: 'invalid' | 'too_large' = 'invalid') => {
    throw new ContextloomError(code, `content ${problem}`, { field: 'content' });
  };
  if (content.trim() === '') refuse('must not be blank');
  if (content.includes('\0')) refuse('must not contain NUL');
  if (/\p{Cs}/u.test(content)) refuse('must be valid Unicode, without lone surrogates');
  if (Buffer.byteLength(content) > MAX_BYTES) refuse('must be at most 1,000,000 bytes of UTF-8', 'too_large');
}

/**
 * Builds the function that ingests a memory. A memory that is near enough to a stored one goes to the arbiter before it is written; the
 * verdict counts only while the stored one is still the nearest when it is written, else it is requested again. Ingests of a
 * project wait for each other here, which spares most of that. A text that is stored already is not stored again.
 */
export function createIngest(options: IngestOptions) {
  const { ownerId, store, analyst, prepare, sameSubject: threshold, clock, newId } = options;
  const { arbitrate } = analyst;
  const otherwise: Verdict | undefined = arbitrate === undefined ? { action: 'KEEP_BOTH' } : undefined;
  const queue = createKeyedQueue();

  const commit = async (project: ProjectOrigin, content: MemoryContent, replaces?: string): Promise<IngestAnswer> => {
    const change = { project, content, newId: toMemoryId(newId()), replaces, threshold, otherwise };
    let outcome = await store.commit(change);
    for (let attempt = 0; outcome.status === 'stale' && attempt < ATTEMPTS; attempt += 1) {
      const { nearest: candidate } = outcome;
      const ruling = candidate && arbitrate && { candidate, verdict: await arbitrate(candidate, content) };
      outcome = await store.commit({ ...change, ruling });
    }
    if (outcome.status !== 'stale') return { candidates: [], ...outcome };
    throw new ContextloomError('conflict', 'the project is changed by many at once; try again');
  };

  return async (request: IngestRequest): Promise<IngestAnswer> => {
    const { content_type: contentType, content } = request;
    const key = requireProjectKey(request);
    const ts = toMemoryTime(request.ts, clock());
    requireContent(content);
    const origin = { name: request.project_name, machineName: request.machine_name, path: request.project_path };
    const prepared = await prepare({ contentType, content, ts, endsAt: toEnd(request, options) });
    return queue(key, () => commit({ ownerId, key, ...origin }, prepared, request.replaces));
  };
}
