import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildPromptResponseSchema,
  explainPromptResponseSchema,
  getUserMemoriesResponseSchema,
  type JsonObject,
} from '@contextloom/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toHome } from '../fixtures/home.ts';
import { spawnCli } from '../fixtures/spawn-cli.ts';
import { type RunningAggregator, startAggregator } from './running-aggregator.ts';

const CLOCK = fileURLToPath(new URL('../fixtures/clock.mjs', import.meta.url));

let folder: string;
let running: RunningAggregator | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-undated-'));
});
afterEach(async () => {
  await running?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the product over the folder of the test; its memory processor starts at a time. */
async function startOn(time: string, settings: Readonly<Record<string, string>> = {}): Promise<void> {
  await running?.close();
  running = await startAggregator({
    folder,
    memoryProcessor: { node: ['--import', CLOCK], env: { CLOCK: time, ...settings } },
  });
}

async function call(tool: string, args: JsonObject): Promise<unknown> {
  return (await running?.call(tool, args))?.structured;
}

const store = (user_id: string, conversation_history: JsonObject[string]) =>
  call('store_conversation_memory', { user_id, conversation_history });

async function promptOf(user_id: string, user_query: string) {
  const args = { persona_name: 'marlow', user_id, user_query, memory_top_k: 5 };
  return buildPromptResponseSchema.parse(await call('build_prompt_with_context', args));
}

/** The lines of the memories in a prompt. */
const toMemoryLines = (prompt: string): readonly string[] =>
  (prompt.split('\n---\n')[0] ?? '').split('\n').filter((line) => /^- | {2}\S/u.test(line));

const ANN = [
  { role: 'user', content: 'I live in a flat in Paris.' },
  { role: 'assistant', content: 'Noted.' },
  { role: 'user', content: 'I live in a house in Lyon now.' },
];
const LI = '小李：我住在北京的公寓里。\n助手：好的。';

describe('turns without a date, through the aggregator', () => {
  it('stand in prompts with the day of the call that brought them, in the order of time, in both languages', async () => {
    await startOn('2024-05-01T09:00:00Z');
    await store('ann', ANN.slice(0, 2));
    await store('li', LI);
    // Another process on another day, and the same conversation again, grown.
    await startOn('2024-06-03T09:00:00Z');
    await store('ann', ANN);
    await store('li', `${LI}\n小李：我搬到成都住了。`);
    await store('ann', ANN);
    const ann = await promptOf('ann', 'Where do I live now?');
    expect(toMemoryLines(ann.prompt)).toEqual([
      '- [2024-05-01]',
      '  user: I live in a flat in Paris.',
      '  assistant: Noted.',
      '- [2024-06-03]',
      '  user: I live in a house in Lyon now.',
    ]);
    expect(toMemoryLines((await promptOf('li', '我住在哪里？')).prompt)).toEqual([
      '- [2024-05-01]',
      '  小李: 我住在北京的公寓里。 （到 2024-06 为止；现在：成都）',
      '  助手: 好的。',
      '- [2024-06-03]',
      '  小李: 我搬到成都住了。',
    ]);
    const { hash } = ann.manifest ?? {};
    const told = explainPromptResponseSchema.parse(await call('explain_prompt', { hash: hash ?? '', user_id: 'ann' }));
    const times = told.lines.flatMap(({ time }) => time ?? []);
    expect(times.map((time) => time.slice(0, 10))).toEqual(['2024-05-01', '2024-06-03']);
  });

  it('stay undated by setting, and so does a file that the command remembers', async () => {
    await startOn('2024-05-01T09:00:00Z', { UNDATED_TURNS: 'none' });
    await store('ann', ANN);
    await startOn('2024-05-01T09:00:00Z');
    await writeFile(join(folder, 'chat.txt'), LI);
    const config = join(folder, 'mcp_config.json');
    const words = ['remember', join(folder, 'chat.txt'), '--user', 'li', '--json'];
    const remembered = spawnCli(['--config', config, ...words], toHome(folder));
    expect(await remembered.ended).toBe(0);
    for (const user_id of ['ann', 'li']) {
      const { memories } = getUserMemoriesResponseSchema.parse(await call('get_user_memories', { user_id }));
      expect(memories.map(({ occurred_at }) => occurred_at)).toEqual([undefined]);
      expect((await promptOf(user_id, 'live 住')).prompt).not.toContain('[20');
    }
  });
});
