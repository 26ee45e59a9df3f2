import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningStack, startStack } from './running-stack.ts';

let stack: RunningStack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const prompt = async (user_id: string, user_query: string): Promise<string> => {
  const args = { persona_name: 'uozumi', user_id, user_query };
  const { ok, body } = await stack.tool('aggregator', 'build_prompt_with_context', args);
  if (!ok) throw new Error(body);
  // The structured answer below has a hash of its own for each user.
  return body.slice(0, body.lastIndexOf('\n{'));
};

it('tells what a user put into typed memory in their prompts alone, and nothing of the vault', async () => {
  const bare = await prompt('ann', '我对什么过敏？');
  const [fact, secret] = ['我对榛子过敏', 'Qw7!-harbour-gate'];
  for (const args of [
    { content: fact, memory_type: 'core' },
    { content: '2026-03-10 和陈老师在码头吃了火锅', memory_type: 'episodic' },
    { content: secret, memory_type: 'knowledge_vault', context: '过敏药柜的密码' },
  ]) {
    expect(await stack.tool('typed-memory', 'memory_add', args)).toMatchObject({ ok: true });
  }
  const told = await prompt('ann', '我对什么过敏？');
  expect(told).toContain(`- ${fact}`);
  expect(await prompt('ann', '和陈老师吃了什么火锅？')).toContain('- [2026-03-10] 2026-03-10 和陈老师在码头吃了火锅');
  for (const hidden of [secret, '药柜']) expect(told).not.toContain(hidden);
  expect(await prompt('bob', '我对什么过敏？')).toBe(bare);
  const { body } = await stack.tool('aggregator', 'get_user_memories', { user_id: 'ann' });
  expect(body).toContain('"total_memories":2');
  expect(body).not.toContain('药柜');
});
