import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeTestComposition } from './fixtures/composition.ts';
import { runCli } from './fixtures/run-cli.ts';

const conversation = fileURLToPath(new URL('../examples/harbour-workshop.en.json', import.meta.url));

let folder: string;
let config: string;
let saved: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-real-'));
  config = await writeTestComposition(folder);
  await copyFile(conversation, join(folder, 'chat.json'));
});

afterAll(() => rm(folder, { recursive: true }));

// Every call starts the real aggregator over stdio, with the real servers behind it and no HTTP anywhere.
const run = (...args: string[]) => runCli(['--config', config, ...args], { cwd: folder });

describe('the commands on the real composition, each with an aggregator of its own', () => {
  it('remember a conversation, find it, and use it in a prompt', async () => {
    const remembered = await run('remember', 'chat.json', '--user', 'tess', '--json');
    expect(remembered.stderr).toBe('');
    saved = JSON.parse(remembered.stdout).memories_saved;
    expect(saved).toBeGreaterThanOrEqual(10);

    const question = 'What is Kit allergic to?';
    const found = JSON.parse((await run('memories', '--user', 'tess', '--query', question, '--json')).stdout);
    expect(found.total_memories).toBe(saved);
    expect(found.memories.some(({ content }: { content: string }) => content.includes('walnuts'))).toBe(true);

    const prompt = await run('prompt', 'marlow', question, '--user', 'tess');
    expect(prompt.stdout).toMatch(/^\[Supplementary memory context\]\n/);
    expect(prompt.stdout).toContain('walnuts');
    expect(prompt.stdout).toContain('# Marlow System Prompt');
  });

  it('add nothing when the same conversation comes again', async () => {
    expect((await run('remember', 'chat.json', '--user', 'tess')).code).toBe(0);
    expect(JSON.parse((await run('memories', '--user', 'tess', '--json')).stdout).total_memories).toBe(saved);
  });

  it("show nobody another user's memories", async () => {
    const listed = await run('memories', '--user', 'ros', '--query', 'walnuts');
    expect(listed.stdout).toBe('Nothing is remembered about ros that matches.\n');
    expect((await run('prompt', 'marlow', 'walnuts?', '--user', 'ros')).stdout).not.toContain('walnuts');
  });

  it('name the personas there are when one is unknown', async () => {
    const { code, stderr } = await run('prompt', 'ishmael', 'hello', '--user', 'tess');
    expect(code).toBe(1);
    expect(stderr).toMatch(/ishmael.*marlow, uozumi/);
  });

  it('show every server running', async () => {
    const { stdout } = await run('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'running' });
  });
});
