import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createHookUser, type HookUser } from '../fixtures/sessions.ts';

let user: HookUser;
beforeAll(async () => {
  user = await createHookUser();
});
afterAll(() => user.close());

const countOf = (text: string, words: string): number => text.split(words).length - 1;

it('tells a second session what the first decided, once, without secrets', async () => {
  const said = [
    ['user', 'Amounts must always be integer cents in this project. Which queue?'],
    ['assistant', 'We decided to keep the queue in Postgres instead of Redis. Because one service less has to run.'],
    ['user', 'The deploy must always use sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD as its key.'],
  ] as const;
  await user.say('first', ...said);
  await user.runHook('SessionEnd', 'first');
  await user.handIn('first');
  await user.work();
  await user.say('first', ...said, [
    'assistant',
    'It turned out that the worker acknowledged jobs before it wrote them.',
  ]);
  await user.handIn('first');
  await user.work();
  const { hookSpecificOutput } = JSON.parse(await user.runHook('SessionStart', 'second'));
  expect(hookSpecificOutput.hookEventName).toBe('SessionStart');
  const context: string = hookSpecificOutput.additionalContext;
  for (const words of [
    'Postgres instead of Redis',
    'integer cents in this project.',
    'acknowledged jobs',
    '[masked: key]',
  ]) {
    expect(context).toContain(words);
  }
  expect(countOf(context, 'We decided to keep the queue in Postgres')).toBe(1);
  expect(context).toMatch(/- Amounts must always be integer cents in this project\. \(2026-11-20 mem_[0-9a-f]{8}\)/);
  expect(context).not.toContain('sk-proj');
  const log = await readFile(join(user.folder, 'contextloom', 'hooks', 'hooks.log'), 'utf8');
  expect(log.match(/notes stored/g)).toHaveLength(2);
});
