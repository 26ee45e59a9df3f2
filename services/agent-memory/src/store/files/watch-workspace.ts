import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { DAYS_FOLDER, hasEntries, TOP_FILES } from '../../domain/model/files.ts';
import { hasErrorCode } from './file-errors.ts';

/** What watches a workspace. */
export interface WatchOptions {
  readonly folder: string;
  /** Called for a file that was made, changed or removed, some milliseconds later. */
  readonly onChange: (path: string) => void;
  /** Called when any file may have changed, such as after the folder of daily logs was replaced. */
  readonly onUnknown: () => void;
  readonly onError: (cause: unknown) => void;
}

/** Editors write in several steps: the steps of one save are one change. */
const QUIET_MS = 60;
/** More files than so many that change at once are looked for together. */
const MANY = 64;

/**
 * Watches the files of a workspace by its two folders alone. A watcher that also watches each file, or lists a folder again
 * when something in it changes, costs a write into ten years of daily logs a tenth of a second.
 */
export function watchWorkspace({ folder, onChange, onUnknown, onError }: WatchOptions): { close(): void } {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const isFile = (path: string): boolean => hasEntries(path) || TOP_FILES.includes(path);

  function tell(): void {
    timer = undefined;
    const paths = [...changed];
    changed.clear();
    if (paths.includes(DAYS_FOLDER)) open(`${DAYS_FOLDER}/`);
    if (paths.length > MANY || paths.includes(DAYS_FOLDER) || paths.includes('')) onUnknown();
    else for (const path of paths) onChange(path);
  }
  /** What some systems do not name may be any file. */
  function note(inside: string, name: string | null): void {
    const path = name === null ? '' : `${inside}${name}`;
    if (!isFile(path) && path !== DAYS_FOLDER && path !== '') return;
    changed.add(path);
    timer ??= setTimeout(tell, QUIET_MS);
  }
  function open(inside: string): void {
    watchers.get(inside)?.close();
    watchers.delete(inside);
    try {
      const watcher = watch(join(folder, inside), (_event, name) => note(inside, name));
      watcher.on('error', onError);
      watchers.set(inside, watcher);
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) onError(error); // A read-only workspace may have no daily logs yet.
    }
  }

  open('');
  open(`${DAYS_FOLDER}/`);
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
