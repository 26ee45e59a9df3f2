import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';
import { toPlainLine } from '../output/text/plain.ts';
import type { HookJob } from './hook-folder.ts';

/** How long OpenCode may take to read a session, in milliseconds. */
const TIMEOUT_MS = 60_000;
/** A larger session is not read into memory; bytes. */
const MAX_BYTES = 256 * 1_024 * 1_024;

const sessionSchema = z.object({
  messages: z.array(
    z.object({
      info: z.looseObject({ time: z.object({ created: z.number(), completed: z.number().nullish() }) }),
      parts: z.array(z.looseObject({ type: z.string() })),
    }),
  ),
});
/** A message of a session, as OpenCode exports it. */
type Message = z.output<typeof sessionSchema>['messages'][number];

type SessionJob = Pick<HookJob, 'session' | 'size' | 'program'> & { readonly project: { readonly path: string } };

/** Has OpenCode export a session: into a file, since it ends before a pipe has taken the whole of a long one. */
async function exportSession({ session, project, program = 'opencode' }: SessionJob): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-opencode-'));
  const path = join(folder, 'session.json');
  const file = await open(path, 'wx', 0o600);
  try {
    const child = spawn(program, ['export', session, '--pure'], {
      cwd: project.path,
      stdio: ['ignore', file.fd, 'pipe'],
      signal: AbortSignal.timeout(TIMEOUT_MS),
      windowsHide: true,
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, 'close')]);
    const why = toPlainLine(stderr.trim()).slice(0, 300);
    if (code !== 0) {
      const isGone = /session not found/iu.test(why);
      throw new ContextloomError(isGone ? 'not_found' : 'unavailable', `OpenCode reads no session ${session}: ${why}`);
    }
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw new ContextloomError('too_large', `the session ${session} has ${size} bytes`);
    return await readFile(path, 'utf8');
  } finally {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What was said in a message: calls of tools stand in it with all that they answered. */
function toSaid({ info, parts }: Message): Message | undefined {
  const said = parts.filter(
    ({ type, synthetic, ignored }) => type === 'text' && synthetic !== true && ignored !== true,
  );
  return said.length === 0 ? undefined : { info, parts: said };
}

/**
 * Reads what a session of OpenCode said after `from` until the time of the job, both in milliseconds since 1970, as documents of at most
 * `maxLength` UTF-16 code units. Messages longer than `maxMessage` hold files, and are left out.
 * @throws ContextloomError `not_found` for a session that OpenCode does not know, `unavailable` where it cannot be run now
 */
export async function* readOpenCodeSession(
  job: SessionJob,
  from: number,
  { maxLength, maxMessage }: { readonly maxLength: number; readonly maxMessage: number },
): AsyncGenerator<string> {
  const exported = await exportSession(job).catch((cause: unknown) => {
    if (Object(cause).code !== 'ENOENT') throw cause;
    throw new ContextloomError('unavailable', `there is no program ${job.program ?? 'opencode'}`, { cause });
  });
  const { messages } = sessionSchema.parse(JSON.parse(exported));
  const toDocument = (list: readonly string[]): string =>
    `{"info":{"id":${JSON.stringify(job.session)}},"messages":[${list.join(',')}]}`;
  let [list, length]: [string[], number] = [[], 0];
  for (const message of messages) {
    const { created, completed } = message.info.time;
    const at = completed ?? created;
    const said = at > from && at <= job.size ? toSaid(message) : undefined;
    const line = said === undefined ? '' : JSON.stringify(said);
    if (line === '' || line.length > maxMessage) continue;
    if (length + line.length > maxLength) {
      yield toDocument(list);
      [list, length] = [[], 0];
    }
    list.push(line);
    length += line.length;
  }
  if (list.length > 0) yield toDocument(list);
}
