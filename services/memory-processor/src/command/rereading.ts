import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import type { Databases } from '../open-databases.ts';
import { version } from '../version.ts';

/** What a command reads again, and for whom. */
export interface RereadingRequest {
  readonly paths: readonly string[];
  readonly userId?: string | undefined;
  readonly transcriptId?: string | undefined;
  readonly retryFailed: boolean;
  readonly reread: boolean;
  /** Only looks whether one is open. */
  readonly dryRun: boolean;
}

/** What reading again works with. */
export interface RereadingDeps {
  readonly databases: Pick<Databases, 'openImports' | 'hasImports'>;
  readonly processor: Pick<MemoryProcessor, 'extractor'>;
}

/** A reading again that is under way. */
export interface Rereading {
  /** When it began, ISO 8601 UTC; absent when nothing is read again. */
  readonly since?: string;
  /** Whether an earlier run of the command has begun it. */
  readonly isResumed: boolean;
  /** Ends it: the same command again begins with the first piece. */
  readonly end: () => Promise<void>;
}

/** The name of a reading again: the same words of the command, read by the same reader, are one. No word of them can be read in it. */
function toRereadingName(words: readonly (string | boolean | undefined)[]): string {
  return createHash('sha256')
    .update(JSON.stringify(words.map((word) => word ?? null)))
    .digest('hex')
    .slice(0, 32);
}

/**
 * Begins to read again, or goes on where the same command was ended early: what was read again since then is not requested once
 * more. Another model, and another version of the product, which has other prompts, begin from the start.
 */
export async function beginRereading(
  request: RereadingRequest,
  { databases, processor }: RereadingDeps,
): Promise<Rereading> {
  const { paths, userId, transcriptId, reread, retryFailed, dryRun } = request;
  const isNothing = (!reread && !retryFailed) || (dryRun && !databases.hasImports());
  if (isNothing) return { isResumed: false, end: async () => undefined };
  const places = paths.map((path) => resolve(path)).sort();
  const name = toRereadingName([userId, transcriptId, reread, processor.extractor.name, version, ...places]);
  const { rereadings } = await databases.openImports();
  const before = await rereadings.find(name);
  const since = before ?? (dryRun ? undefined : await rereadings.begin(name));
  return {
    ...(since !== undefined && { since }),
    isResumed: before !== undefined,
    end: async () => {
      if (!dryRun) await rereadings.end(name);
    },
  };
}

/** Tells that a command goes on with what it had begun. */
export function toResumedLine({ since = '' }: Rereading): string {
  return `going on with the reading again that began at ${since}: what was read since then is not read once more`;
}
