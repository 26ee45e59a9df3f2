import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { createHookUser, type HookUser } from '../fixtures/sessions.ts';

let user: HookUser | undefined;
afterEach(() => user?.close());

const decisions = Array.from({ length: 10 }, (_, at) => `We decided to put module ${at} into package ${at + 1}.`);

it.each(['before anything is read', 'when the notes are written down', 'when some are stored'])(
  'stores each note once after a worker was killed %s',
  async (moment) => {
    user = await createHookUser();
    await user.say('one', ['user', 'Where do the modules go?'], ['assistant', decisions.join(' ')]);
    const jobs = join(user.folder, 'contextloom', 'hooks', 'jobs');
    await user.handIn('one');
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
    const context = JSON.parse(await user.runHook('SessionStart', 'two')).hookSpecificOutput.additionalContext;
    for (const decision of decisions) expect(context.split(`insight] ${decision}`)).toHaveLength(2);
  },
);
