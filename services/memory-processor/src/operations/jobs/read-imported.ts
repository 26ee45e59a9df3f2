import type { Conversation } from '@contextloom/transcripts/transcript';
import { z } from 'zod';
import { toReadingFields, toRetractedFields } from '../../answers.ts';
import type { ModelBudget } from '../../domain/budget/model-budget.ts';
import type { GraphStore } from '../../domain/graph-store.ts';
import type { ImportRecords } from '../../domain/imports/journal.ts';
import type { MemoryProcessor } from '../../domain/memory-processor.ts';
import type { MemoryStore } from '../../domain/memory-store.ts';
import { noteGraph } from '../../imports/take-conversations.ts';
import { undoImport } from '../../imports/undo-import.ts';
import type { JobHandler, Worked } from '../../jobs/job-runner.ts';

/** What {@link createReadImported} works with. */
export interface ReadImportedDeps {
  readonly processor: MemoryProcessor;
  readonly memories: MemoryStore;
  readonly graph: Pick<GraphStore, 'remove'>;
  readonly openImports: () => Promise<ImportRecords>;
  readonly budget?: Pick<ModelBudget, 'refuse'> | undefined;
  readonly clock: () => Date;
}

const payloadSchema = z.object({
  import_id: z.string(),
  item: z.object({ key: z.string(), title: z.string(), part: z.number() }),
  // As this program wrote it.
  conversation: z.custom<Conversation>((value) => Array.isArray(Object(value).sessions)),
  userName: z.string().optional(),
  transcriptId: z.string().optional(),
  forceSave: z.boolean().optional(),
});

/** Reads the rest of a conversation of an import: nothing of one that was taken back meanwhile. */
export function createReadImported(deps: ReadImportedDeps): JobHandler {
  const { processor, memories, graph, openImports, budget, clock } = deps;
  return async ({ userId, payload, before }, options) => {
    const { import_id: importId, item, ...request } = payloadSchema.parse(payload);
    const { journal } = await openImports();
    const isTaken = async (): Promise<boolean> => [undefined, 'undone'].includes((await journal.get(importId))?.state);
    const none = { extractor: processor.extractor, memories_extracted: 0, memories_saved: 0, memory_ids: [] };
    if (await isTaken()) return { result: { ...none, message: 'The import was taken back.' } };
    if (before !== undefined) {
      const refusal = await budget?.refuse();
      if (refusal !== undefined) return { ...before, unfinished: refusal.reason, waitsUntil: refusal.until };
    }
    const outcome = await processor.processConversation({ ...request, userId, importId }, options);
    if (outcome.hasPeople) await noteGraph({ id: importId }, journal);
    if (await isTaken()) {
      // It was taken back while this was read: what came of it since goes as well.
      await undoImport(importId, { memories, journal, graph, clock });
      return { result: { ...none, message: 'The import was taken back.' } };
    }
    const { saved, notSaved, unread, windows, waitsUntil, isComplete, known, retracted } = outcome;
    const reason = `${unread} of ${windows} pieces are to be read once there is a budget for them`;
    const total = ((await journal.getItem(importId, item.key))?.saved ?? 0) + saved.length;
    const state =
      unread > 0
        ? ({ state: 'failed', saved: total, reason, retryable: true } as const)
        : ({ state: 'saved', saved: total } as const);
    await journal.settle(importId, { ...item, retracted }, state);
    const reading = toReadingFields(outcome, processor);
    const worked: Worked = {
      result: {
        message: `Saved ${saved.length} memories of an import.`,
        extractor: processor.extractor,
        transcript_id: outcome.transcript,
        memories_extracted: saved.length + notSaved.length,
        memories_saved: saved.length,
        memories_known: known,
        ...toRetractedFields(retracted),
        failed: reading.failed,
        memory_ids: saved.map(({ id }) => id),
      },
      cost: reading.usage,
    };
    if (!isComplete) return { ...worked, unfinished: 'it was ended early' };
    return unread > 0 ? { ...worked, unfinished: reason, waitsUntil } : worked;
  };
}
