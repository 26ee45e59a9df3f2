import { ContextloomError } from '@contextloom/contracts';
import type { StoreReport } from './domain/store.ts';
import { type OpenOptions, openProjectMemory } from './open-project-memory.ts';

/** What a look at the store found, and what it mended. */
export interface DoctorReport extends StoreReport {
  /** Memories whose fragments were made again. */
  readonly mended: readonly string[];
}

/** Looks for rows that do not fit each other and makes fragments again from the texts, which are the truth. */
export async function doctor(options: OpenOptions): Promise<DoctorReport> {
  const { store, pending, close } = await openProjectMemory(options);
  try {
    const { torn } = await store.inspect();
    for (const id of torn) await store.rewriteFragments(id);
    await pending.run();
    return { ...(await store.inspect()), mended: torn };
  } finally {
    await close();
  }
}

/** Makes all vectors again with the embedder that is set; answers how many memories have none yet. */
export async function reembed(options: OpenOptions): Promise<{ readonly memories: number; readonly pending: number }> {
  const { store, pending, close } = await openProjectMemory({ ...options, onMismatch: 'rebuild' });
  try {
    await pending.run();
    const report = await store.inspect();
    if (report.pending === 0) return { memories: report.memories, pending: 0 };
    const message = `${report.pending} of ${report.memories} memories have no vectors: the embedder could not be used; run it again`;
    throw new ContextloomError('unavailable', message);
  } finally {
    await close();
  }
}
