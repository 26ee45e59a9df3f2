import { ContextloomError } from '@contextloom/contracts';
import type { KeyedQueue } from '@contextloom/runtime/scheduling';
import type { Workspace, WorkspaceFile } from '../ports/workspace.ts';
import type { Sync } from './sync.ts';

/** What an edit makes of a file: its new text, or that nothing is to be written. */
export type FileEdit<T> = { readonly text: string | undefined; readonly value: T };

/** Makes another text of a file; undefined for a file that does not exist. */
export type Edit<T> = (file: WorkspaceFile | undefined) => FileEdit<T> | Promise<FileEdit<T>>;

/** How often an edit is made again because somebody else changed the file meanwhile. */
const MAX_TRIES = 50;
/** After so many tries somebody changes the file faster than a text gets to the disk. */
const USUAL_TRIES = 3;

/** Edits what a file has at this very moment; undefined when somebody came in between. */
async function editInPlace<T>(workspace: Workspace, path: string, edit: Edit<T>): Promise<FileEdit<T> | undefined> {
  const made: FileEdit<T>[] = [];
  const keep = (one: FileEdit<T>): string | undefined => {
    made.push(one);
    return one.text;
  };
  const toText = (file: WorkspaceFile) => {
    const one = edit(file);
    return one instanceof Promise ? one.then(keep) : keep(one);
  };
  return (await workspace.rewrite(path, toText)) === 'written' ? made[0] : undefined;
}

/**
 * Edits a file as it is at the moment of writing: when somebody changed it meanwhile, the edit is made again on what they left.
 * @throws ContextloomError `conflict` when the file is changed by others all the time, and what the edit throws
 */
export async function editFile<T>(workspace: Workspace, path: string, edit: Edit<T>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const file = await workspace.read(path);
    if (file !== undefined && tries >= USUAL_TRIES) {
      const made = await editInPlace(workspace, path, edit);
      if (made !== undefined) return made.value;
      continue;
    }
    const { text, value } = await edit(file);
    if (text === undefined || text === file?.text) return value;
    if ((await workspace.write(path, file, text)) === 'written') return value;
  }
  throw new ContextloomError('conflict', `${path} is being changed by others all the time: try again`, { field: path });
}

/** What edits files that are indexed. */
export interface FileEditorOptions {
  readonly workspace: Workspace;
  readonly queue: KeyedQueue;
  readonly sync: Sync;
}

/** Edits a file as {@link editFile} does, one edit of it after the other, and brings it into the index. */
export type EditIndexed = <T>(path: string, edit: Edit<T>) => Promise<T>;

/** Builds what edits files that are indexed. */
export function createFileEditor({ workspace, queue, sync }: FileEditorOptions): EditIndexed {
  return (path, edit) =>
    queue(path, async () => {
      const value = await editFile(workspace, path, edit);
      await sync.follow(path);
      return value;
    });
}
