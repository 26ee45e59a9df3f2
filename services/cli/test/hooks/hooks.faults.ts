import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createHookUser, type HookUser } from '../fixtures/sessions.ts';

// One user for all moments: making the database of a first start takes seconds.
let user: HookUser;
beforeAll(async () => {
  user = await createHookUser();
});
afterAll(() => user.close());

const toDecisions = (topic: string) =>
  Array.from({ length: 10 }, (_, at) => `We decided to put ${topic} ${at} into package ${at + 1}.`);

it.each([
  ['before anything is read', 'module'],
  ['when the notes are written down', 'folder'],
  ['when some are stored', 'test'],
])('stores each note once after a worker was killed %s', async (moment, topic) => {
  const decisions = toDecisions(topic);
  await user.say(topic, ['user', `Where does each ${topic} go?`], ['assistant', decisions.join(' ')]);
  const jobs = join(user.folder, 'contextloom', 'hooks', 'jobs');
  await user.handIn(topic);
  const worker = user.startWork();
  if (moment !== 'before anything is read') {
    for (let tries = 0; tries < 600; tries += 1) {
      const [file] = await readdir(jobs);
      if (file === undefined || (await readFile(join(jobs, file), 'utf8').catch(() => '')).includes('"notes"')) break;
      await sleep(50);
    }
    if (moment === 'when some are stored') await sleep(100);
  }
  worker.kill('SIGKILL');
  await once(worker, 'close');
  await user.work();
  const contexts = join(user.folder, 'contextloom', 'hooks', 'contexts');
  const [name = ''] = await readdir(contexts);
  const { brief } = JSON.parse(await readFile(join(contexts, name), 'utf8'));
  const told = brief.lines.map(({ text }: { readonly text: string }) => text);
  for (const decision of decisions) expect(told.filter((text: string) => text === decision)).toHaveLength(1);
});
