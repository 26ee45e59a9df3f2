import type { JsonObject } from '@contextloom/contracts';
import type { JournalItem } from '../domain/imports/journal.ts';
import type { RecordRequest } from '../domain/ingest/recording.ts';
import type { JobQueue } from '../domain/jobs/job-queue.ts';

/** The kind of a job that reads the rest of a conversation of an import. */
export const READ_IMPORTED = 'read_imported';

/** A longer conversation waits for the same import again, in UTF-16 code units: it would stand in the queue as a whole. */
const MAX_LENGTH = 4_000_000;

/** The rest of a conversation that waits for a budget. */
export interface Rest {
  readonly request: RecordRequest & { readonly importId: string };
  /** As the journal of the import names it. */
  readonly item: Pick<JournalItem, 'key' | 'title' | 'part'>;
  readonly reason: string;
  readonly waitsUntil: Date;
}

/** Has it read by itself once there is a budget; what was read before is known then. */
export type ReadLater = (rest: Rest) => Promise<void>;

/** Keeps it as a job, which is one however often it comes to the same. */
export function createReadLater(jobs: Pick<JobQueue, 'add'>, newId: () => string): ReadLater {
  return async ({ request, item, reason, waitsUntil }) => {
    const { userId, importId, conversation, userName, transcriptId, forceSave } = request;
    const payload = JSON.stringify({ import_id: importId, item, conversation, userName, transcriptId, forceSave });
    if (payload.length > MAX_LENGTH) return;
    await jobs.add({
      id: newId(),
      userId,
      kind: READ_IMPORTED,
      payload: JSON.parse(payload) as JsonObject,
      // Of a day: what is read and waits for the next one is another job.
      idempotencyKey: `${importId} ${item.key} ${waitsUntil.toISOString()}`.slice(0, 200),
      waits: { reason, notBefore: waitsUntil.getTime() },
    });
  };
}
