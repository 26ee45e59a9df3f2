import { isContextloomError } from '@contextloom/contracts';
import type { MemoryParts } from '../editing/parts.ts';
import { removeEntries } from '../grammar/edit.ts';
import { hasEnded } from '../model/ends.ts';

/**
 * Builds what takes entries that have ended out of their files, and so out of the index; everything else in a file stays byte for byte as
 * it is. A receipt of each stays, without words. What the file says counts: a person may have given it another end meanwhile.
 */
export function createForgetEnded({
  workspace,
  index,
  edit,
  sync,
  clock,
  onProblem,
}: Pick<MemoryParts, 'workspace' | 'index' | 'edit' | 'sync' | 'clock' | 'onProblem'>): () => Promise<void> {
  const forgetIn = (path: string, now: Date): Promise<void> =>
    edit(path, async (file) => {
      const named = file === undefined ? [] : await sync.name(file);
      const gone = named.filter(({ parsed: { mark = {} } }) => hasEnded(mark, now));
      await index.addReceipts(
        gone.map(({ id }) => id),
        now,
      );
      const entries = gone.map(({ parsed }) => parsed);
      return { text: file && removeEntries(path, file.text, entries), value: undefined };
    });
  return async () => {
    if (workspace.isReadOnly) return;
    const now = clock();
    for (const path of new Set(index.ended(now.getTime()).map(({ source_file }) => source_file))) {
      await forgetIn(path, now).catch((error: unknown) => {
        if (!isContextloomError(error)) throw error;
        onProblem(path, error);
      });
    }
  };
}
