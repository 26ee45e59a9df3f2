import { stat } from 'node:fs/promises';
import type { BegunSession, HookFolder } from './hook-folder.ts';

/** How long a transcript is as it is now, in bytes; undefined where it is gone. */
async function sizeOf(transcript: string): Promise<number | undefined> {
  return stat(transcript).then(
    ({ size }) => size,
    () => undefined,
  );
}

const isSame = (one: BegunSession, other: BegunSession): boolean =>
  one.client === other.client && one.session === other.session && one.transcript === other.transcript;

/**
 * Hands in sessions that began and whose end nobody told, since the hook that tells it was killed, or the machine was. One that still
 * runs may be among them: what it says from now on is learnt when it ends.
 * @param starting the session that begins now
 */
export async function handInMissed(folder: HookFolder, starting: BegunSession): Promise<void> {
  const jobs = await folder.jobs();
  for (const session of await folder.begun()) {
    if (isSame(session, starting)) continue;
    const size = await sizeOf(session.transcript);
    if (size === undefined) await folder.removeBegun(session);
    // A job that is there may hold what a model was paid for.
    else if (jobs.some(([, job]) => isSame(job, session) && job.size === size)) continue;
    else if (size !== (await folder.progressOf(session))) await folder.addJob({ ...session, size });
  }
}
