import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import { JOURNAL_FILE } from '../imports/journal/journal.ts';
import { openRereadings, toRereadingName } from '../imports/journal/rereadings.ts';
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
  /** The folder of the journal. */
  readonly dataDir: string;
  readonly processor: Pick<MemoryProcessor, 'extractor'>;
  readonly clock: () => Date;
}

/** A reading again that is under way. */
export interface Rereading {
  /** When it began, ISO 8601 UTC; absent when nothing is read again. */
  readonly since?: string;
  /** Whether an earlier run of the command has begun it. */
  readonly isResumed: boolean;
  /** Ends it: the same command again begins with the first piece. */
  readonly end: () => void;
}

/**
 * Begins to read again, or goes on where the same command was ended early: what was read again since then is not asked for once
 * more. Another model, and another version of the product, which has other prompts, begin from the start.
 */
export function beginRereading(request: RereadingRequest, { dataDir, processor, clock }: RereadingDeps): Rereading {
  const { paths, userId, transcriptId, reread, retryFailed, dryRun } = request;
  const file = join(dataDir, JOURNAL_FILE);
  const isNothing = (!reread && !retryFailed) || (dryRun && !existsSync(file));
  if (isNothing) return { isResumed: false, end: () => undefined };
  const places = paths.map((path) => resolve(path)).sort();
  const name = toRereadingName([userId, transcriptId, reread, processor.extractor.name, version, ...places]);
  const withRereadings = <T>(work: (open: ReturnType<typeof openRereadings>) => T): T => {
    const rereadings = openRereadings(file, clock);
    try {
      return work(rereadings);
    } finally {
      rereadings.close();
    }
  };
  const before = withRereadings(({ find }) => find(name));
  const since = before ?? (dryRun ? undefined : withRereadings(({ begin }) => begin(name)));
  return {
    ...(since !== undefined && { since }),
    isResumed: before !== undefined,
    end: () => {
      if (!dryRun) withRereadings(({ end }) => end(name));
    },
  };
}

/** Tells that a command goes on with what it had begun. */
export function toResumedLine({ since = '' }: Rereading): string {
  return `going on with the reading again that began at ${since}: what was read since then is not read once more`;
}
