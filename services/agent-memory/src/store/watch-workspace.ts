import { join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { hasEntries } from '../domain/entry.ts';

/** What watches a workspace. */
export interface WatchOptions {
  readonly folder: string;
  /** Told of a file that was made, changed or removed, some milliseconds after the last write. */
  readonly onChange: (path: string) => void;
  readonly onError: (cause: unknown) => void;
}

/** Editors write in several steps: one change is told. */
const QUIET_MS = 60;

/** Watches the files of a workspace; resolves when it does. */
export async function watchWorkspace({ folder, onChange, onError }: WatchOptions): Promise<{ close(): Promise<void> }> {
  const waiting = new Map<string, NodeJS.Timeout>();
  const tell = (path: string): void => {
    clearTimeout(waiting.get(path));
    const timer = setTimeout(() => {
      waiting.delete(path);
      onChange(path);
    }, QUIET_MS);
    waiting.set(path, timer);
  };
  const isFile = (path: string): boolean => hasEntries(path) || /^[A-Z]+\.md$/.test(path);
  const watcher = watch([folder, join(folder, 'memory')], { depth: 0, ignoreInitial: true });
  watcher.on('all', (_event, path) => {
    const inside = relative(folder, path).split(sep).join('/');
    if (isFile(inside)) tell(inside);
  });
  watcher.on('error', onError);
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return {
    close: async () => {
      for (const timer of waiting.values()) clearTimeout(timer);
      await watcher.close();
    },
  };
}
