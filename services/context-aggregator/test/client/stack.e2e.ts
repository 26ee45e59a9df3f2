import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { revokeKey } from '@contextloom/access';
import { Contextloom } from '@contextloom/client';
import { type ScriptedOpenAi, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientStack, startClientStack } from '../support/client-stack.ts';
import { isAlive, waitUntilGone } from '../support/server-process.ts';

const HOUR_MS = 3_600_000;
let stack: ClientStack;
const open: { close: () => Promise<void> }[] = [];

beforeAll(async () => {
  stack = await startClientStack();
}, 120_000);
afterAll(async () => {
  for (const one of open) await one.close();
  await stack.close();
});

function connect(name: 'ann' | 'bob' | 'admin'): Contextloom {
  const client = new Contextloom({ url: stack.aggregator.url, key: stack.keys[name], timeoutMs: HOUR_MS });
  open.push(client);
  return client;
}

async function startModel(...chat: readonly Step[]): Promise<ScriptedOpenAi> {
  const model = await startScriptedOpenAi({ chat });
  open.push(model);
  return model;
}

const systemOf = ({ requests }: ScriptedOpenAi, index: number): string => {
  const [first] = requests[index]?.body.messages ?? [];
  return first?.role === 'system' ? String(first.content) : '';
};

describe('a client over HTTP, by the user of its key', () => {
  it('remembers, recalls, corrects, lists, composes, stores and forgets; another user sees nothing at any step', async () => {
    const [ann, bob] = [connect('ann'), connect('bob')];
    const expectNothing = async (): Promise<void> => {
      expect(await bob.recall('Where is the pottery class?')).toMatchObject({ memories: [] });
      expect(await bob.list({ limit: 100 })).toMatchObject({ memories: [] });
    };
    const fact = await ann.remember('I live in Leith.');
    expect(fact).toMatchObject({ id: 'fact:city', store: 'personal-memory' });
    const note = await ann.remember('The pottery class is in Henderson Street.', { kind: 'note' });
    await expectNothing();
    const { memories } = await ann.recall('Where is the pottery class?', { limit: 3 });
    expect(memories[0]).toMatchObject({ id: note.id, store: 'knowledge-base' });
    await expect(bob.update(note.id, 'mine')).rejects.toMatchObject({ code: 'not_found', field: 'id' });
    await expect(bob.forget(note.id)).rejects.toMatchObject({ code: 'not_found' });
    await ann.update(note.id, 'The pottery class moved to Constitution Street.');
    const stored = await ann.store([
      { role: 'user', content: 'I keep two cats, Ros and Gil, and they sleep all day.' },
    ]);
    expect(stored.memories_saved).toBeGreaterThan(0);
    const { prompt, status } = await ann.prompt({ persona_name: 'marlow', user_query: 'Where is the pottery class?' });
    expect([status, prompt]).toEqual(['complete', expect.stringContaining('Constitution Street')]);
    const other = await bob.prompt({ persona_name: 'marlow', user_query: 'Where is the pottery class?' });
    expect(other.prompt).not.toContain('Constitution Street');
    await expectNothing();
    await ann.forget(note.id);
    const texts = (await ann.list({ limit: 100 })).memories.map(({ text }) => text);
    expect(texts.join('\n')).toContain('two cats');
    expect(texts.join('\n')).not.toContain('pottery');
    await expect(ann.recall('cats', { user_id: 'bob' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(ann.prompt({ persona_name: 'nobody' })).rejects.toMatchObject({ field: 'persona_name' });
  }, 240_000);

  it('calls tools of the servers behind the aggregator', async () => {
    const { structured } = await connect('ann').raw('knowledge-base__get_stats');
    expect(structured).toMatchObject({ success: true });
  }, 120_000);

  it('exports a user page by page, for administrators alone', async () => {
    const [ann, admin] = [connect('ann'), connect('admin')];
    await ann.remember('My bicycle is called Rocinante.', { kind: 'note' });
    const lines: string[] = [];
    for await (const page of admin.export({ user_id: 'ann' })) lines.push(page.lines);
    expect(lines.join('')).toContain('Rocinante');
    // Her key does not even see the operation.
    await expect(ann.export().next()).rejects.toThrow('no such tool');
  }, 120_000);

  it('is refused from the moment at which its key is revoked', async () => {
    const bob = connect('bob');
    await bob.recall('tea');
    await revokeKey('bob', { file: stack.keysFile, clock: () => new Date() });
    await expect(bob.recall('tea')).rejects.toMatchObject({ name: 'ContextloomError', code: 'unauthorized' });
  }, 120_000);
});

describe('a client over stdio', () => {
  it('starts an aggregator, goes on with another when that is killed, and ends it with close()', async () => {
    const { command, args, env } = stack.program;
    const pids = join(String(env['HOME']), 'pids');
    const script = `echo $$ >> "$0"; exec "$@"`;
    const client = new Contextloom({
      command: '/bin/sh',
      args: ['-c', script, pids, command, ...args],
      env,
      user: 'cleo',
      timeoutMs: HOUR_MS,
    });
    const { id } = await client.remember('I live in Graz.');
    const started = async () => (await readFile(pids, 'utf8')).trim().split('\n').map(Number);
    const [first = 0] = await started();
    process.kill(first, 'SIGKILL');
    await waitUntilGone([first]);
    expect(await client.list()).toMatchObject({ memories: [{ id, text: expect.stringContaining('Graz') }] });
    const [, second = 0] = await started();
    expect(isAlive(second)).toBe(true);
    await client.close();
    await waitUntilGone([second]);
    await expect(client.list()).rejects.toMatchObject({ message: 'the client was closed' });
  }, 240_000);
});

describe('the examples', () => {
  it('chat-loop: prompts hold what was said before, and the model uses its tools', async () => {
    const model = await startModel(
      { kind: 'tool_calls', calls: [{ name: 'remember', arguments: { text: 'I play the cello.', user_id: 'bob' } }] },
      { kind: 'answer', text: 'A cello, how nice.' },
      { kind: 'answer', text: 'You play the cello.' },
    );
    const input = 'I play the cello, and my teacher is Mrs Okafor.\nWho teaches me the cello?\n';
    expect(await stack.runExample('chat-loop.mjs', model, { input })).toBe('A cello, how nice.\nYou play the cello.\n');
    expect(model.refused).toEqual([]);
    expect(systemOf(model, 0)).not.toContain('Okafor');
    expect(systemOf(model, 2)).toContain('Okafor');
    const { memories } = await connect('ann').list({ limit: 100 });
    const told = memories.filter(({ text }) => text.includes('Okafor'));
    expect([told.length, memories.some(({ text }) => text === 'I play the cello.')]).toEqual([1, true]);
  }, 240_000);

  it('ai-sdk: the middleware composes the prompt and stores the turn, once, when the tools were called', async () => {
    const model = await startModel(
      { kind: 'tool_calls', calls: [{ name: 'recall', arguments: { query: 'canoe' } }] },
      { kind: 'answer', text: 'Your canoe is green.' },
    );
    const ann = connect('ann');
    await ann.remember('My canoe is green.', { kind: 'note' });
    const args = ['Which colour has my canoe, the one from Oban?'];
    expect(await stack.runExample('ai-sdk.mjs', model, { args })).toBe('Your canoe is green.\n');
    expect(model.refused).toEqual([]);
    // What is remembered goes with the newest message, so that all before it stays as a provider has cached it.
    expect(systemOf(model, 0)).not.toContain('My canoe is green.');
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('My canoe is green.');
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('My canoe is green.');
    const { memories } = await ann.list({ limit: 100 });
    expect(memories.filter(({ text }) => text.includes('Oban'))).toHaveLength(1);
  }, 240_000);

  it('langchain: its tools answer with the memory', async () => {
    await connect('ann').remember('I was born in Łódź.', { kind: 'note' });
    const answer = await stack.runExample('langchain.mjs', await startModel(), { args: ['born in Łódź'] });
    expect(JSON.parse(answer)).toMatchObject({
      memories: expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining('Łódź') })]),
    });
  }, 120_000);
});
