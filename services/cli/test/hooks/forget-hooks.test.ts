import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { forgetHooks } from '../../src/hooks/forget-hooks.ts';
import { type HookFolder, openHookFolder } from '../../src/hooks/hook-folder.ts';

const SECRET = 'Quillonmere';

let path: string;
let folder: HookFolder;
let transcript: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'contextloom hook 中文-'));
  transcript = join(path, 'session.jsonl');
  folder = await openHookFolder(join(path, 'hooks'), () => new Date(0));
  await writeFile(transcript, '{"said":"one"}\n');
  const project = { name: SECRET, path: `/srv/${SECRET}` };
  const session = { client: 'codex' as const, session: 's', transcript, project };
  const line = { kind: 'decision' as const, text: `We named the boat ${SECRET}.`, source: 'mem_1f0c3a9b', tokens: 30 };
  const counts = { rule: 0, decision: 1, open: 0, state: 0 };
  await folder.setContext(SECRET, { brief: { lines: [line], counts }, branches: {} });
  await folder.addBegun({ ...session, session: 'begun' });
  await folder.addJob({ ...session, size: 15, notes: [{ content_type: 'insight', content: SECRET }] });
  await folder.log(`1 notes stored in ${SECRET}`);
});
afterEach(() => rm(path, { recursive: true }));

const forget = (isOwner: boolean, isDryRun = false) =>
  forgetHooks(folder, { isOwner, isDryRun, signal: new AbortController().signal }, async () => 'told');
const left = () => findBytes(folder.path, [SECRET]).length;

it('counts what hooks keep of the owner, erases it to the last byte, and learns no session again', async () => {
  const erased = [
    { what: 'beginnings of sessions', count: 1 },
    { what: 'sessions to learn from', count: 2 },
    { what: 'logs', count: 1 },
  ];
  const before = left();
  expect(await forget(true, true)).toEqual({ elsewhere: 'told', hooks: { erased, unreached: [] } });
  expect(left()).toBe(before);
  const jobs = (await folder.jobs()).map(([, job]) => job);
  expect((await forget(true)).hooks).toEqual({ erased, unreached: [] });
  expect(left()).toBe(0);
  for (const job of jobs) expect(await folder.progressOf(job)).toBe(15);
  expect((await forget(true)).hooks.erased.map(({ count }) => count)).toEqual([0, 0, 0]);
});

it('erases nothing for anybody else, and says what the next sessions are told', async () => {
  const { hooks } = await forget(false);
  expect(hooks).toMatchObject({ erased: [], unreached: [{ what: 'what the next sessions are told' }] });
  expect(await readdir(join(folder.path, 'contexts'))).toHaveLength(1);
});
