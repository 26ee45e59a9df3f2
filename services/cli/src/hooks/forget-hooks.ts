import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Forgotten } from '@contextloom/contracts';
import { type HookFolder, LOG } from './hook-folder.ts';
import { measureIfThere } from './measure.ts';
import { lockWorkers } from './worker-lock.ts';

/** What is forgotten. */
export interface ForgetHooksOptions {
  readonly isDryRun: boolean;
  /** Whether the user is the one whose project memory the hooks fill. */
  readonly isOwner: boolean;
  readonly signal: AbortSignal;
}

/** How long a worker may go on with what it is at, in milliseconds. */
const PATIENCE_MS = 60_000;

const OF_OWNER = 'it is made of the memories of projects of their owner (OWNER_ID): correct those, or forget the owner';
const AT_WORK = 'a worker is still learning from a session: try again when it is done';

/** Sessions are not learnt from once more: what their transcripts hold stays with the client that wrote them. */
async function dropSessions(folder: HookFolder): Promise<void> {
  for (const session of [...(await folder.jobs()).map(([, job]) => job), ...(await folder.begun())]) {
    await folder.setProgress(session, (await measureIfThere(session)) ?? 0);
  }
}

/** Counts what hooks keep of the owner of project memory, and erases it unless it is a dry run. */
async function eraseAll(folder: HookFolder, isDryRun: boolean): Promise<Forgotten['erased']> {
  if (!isDryRun) await dropSessions(folder);
  const erase = async (what: string, files: readonly string[]) => {
    if (!isDryRun) for (const file of files) await rm(file, { force: true });
    return { what, count: files.length };
  };
  const list = async (name: string): Promise<readonly string[]> =>
    (await readdir(join(folder.path, name))).map((file) => join(folder.path, name, file));
  const logs = [LOG, `${LOG}.1`].map((name) => join(folder.path, name)).filter((file) => existsSync(file));
  return [
    await erase('beginnings of sessions', await list('contexts')),
    await erase('sessions to learn from', [...(await list('jobs')), ...(await list('begun'))]),
    await erase('logs', logs),
  ];
}

/**
 * Has the servers forget a user, and then the hooks, which would tell the next session what they kept and learn again what waits.
 * No worker works meanwhile.
 */
export async function forgetHooks<T>(
  folder: HookFolder,
  { isDryRun, isOwner, signal }: ForgetHooksOptions,
  forgetElsewhere: () => Promise<T>,
): Promise<{ readonly elsewhere: T; readonly hooks: Forgotten }> {
  if (!isOwner) {
    const elsewhere = await forgetElsewhere();
    const isEmpty = (await readdir(join(folder.path, 'contexts'))).length === 0;
    const unreached = isEmpty ? [] : [{ what: 'what the next sessions are told', why: OF_OWNER }];
    return { elsewhere, hooks: { erased: [], unreached } };
  }
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const unlock = isDryRun
    ? () => undefined
    : await lockWorkers(folder.path, patience).catch((error: unknown) => {
        if (signal.aborted || !patience.aborted) throw error;
        return undefined;
      });
  try {
    const elsewhere = await forgetElsewhere();
    if (unlock === undefined) {
      return { elsewhere, hooks: { erased: [], unreached: [{ what: 'what hooks keep', why: AT_WORK }] } };
    }
    return { elsewhere, hooks: { erased: await eraseAll(folder, isDryRun), unreached: [] } };
  } finally {
    unlock?.();
  }
}
