import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { openChatModel } from '../../src/open-models.ts';
import { createProgramModel } from '../../src/program/chat.ts';
import { type ProgramName, programNames, programs } from '../../src/program/programs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom program 中文-'));
  await mkdir(join(folder, 'bin'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const describeHere = process.platform === 'win32' ? describe.skip : describe;

/** Installs a program that notes down how it was called, prints a text, and ends; it speaks as the documentation of the real one says. */
async function install(provider: ProgramName, { stdout = '', stderr = '', code = 0, waits = false }) {
  const file = join(folder, 'bin', programs[provider].command);
  const body = `
    const { readFileSync, readdirSync, writeFileSync, appendFileSync } = require('node:fs');
    const call = { args: process.argv.slice(2), input: readFileSync(0, 'utf8'), folder: readdirSync('.') };
    appendFileSync(${JSON.stringify(join(folder, 'calls'))}, JSON.stringify(call) + '\\n');
    process.stdout.write(${JSON.stringify(stdout)});
    process.stderr.write(${JSON.stringify(stderr)});
    process.exitCode = ${code};
    if (${waits}) setInterval(() => undefined, 1_000);`;
  await writeFile(file, `#!${process.execPath}\n${body}\n`);
  await chmod(file, 0o755);
}

const readCalls = async () =>
  (await readFile(join(folder, 'calls'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const open = (provider: ProgramName, more: object = {}) =>
  createProgramModel({
    provider,
    timeoutMs: 60_000,
    env: { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` },
    ...more,
  });

const request = {
  messages: [
    { role: 'system' as const, content: 'Read carefully.' },
    { role: 'user' as const, content: "Ann said: it's $HOME `here` 茶" },
  ],
};
const shape = { name: 'facts', schema: z.object({ facts: z.array(z.string()) }) };
const FACTS = '{"facts":["tea"]}';

const spoken: Readonly<Record<ProgramName, (text: string) => string>> = {
  'claude-code': (text) =>
    JSON.stringify({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: text,
      session_id: 'abc',
      total_cost_usd: 0.01,
      usage: { input_tokens: 3, cache_creation_input_tokens: 4, cache_read_input_tokens: 5, output_tokens: 6 },
    }),
  codex: (text) =>
    [
      { type: 'thread.started', thread_id: '0199a213' },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'item_0', type: 'reasoning', text: '**Reading**' } },
      { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } },
      { type: 'turn.completed', usage: { input_tokens: 12, cached_input_tokens: 4, output_tokens: 6 } },
    ]
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  'gemini-cli': (text) =>
    JSON.stringify({
      session_id: 'abc',
      response: text,
      stats: { models: { 'gemini-3-pro': { tokens: { prompt: 12, candidates: 6, total: 18 } } } },
    }),
};
const failed: Readonly<Record<ProgramName, (words: string) => string>> = {
  'claude-code': (result) => JSON.stringify({ type: 'result', subtype: 'success', is_error: true, result }),
  codex: (message) => `${JSON.stringify({ type: 'turn.failed', error: { message } })}\n`,
  'gemini-cli': (message) => JSON.stringify({ error: { type: 'ApiError', message, code: 1 } }),
};

describeHere.each(programNames)('%s', (provider) => {
  it('is asked on standard input, without tools of ours, and answers in words and in a shape', async () => {
    await install(provider, { stdout: spoken[provider](FACTS) });
    const model = open(provider, { model: 'small' });
    const usage = { input: 12, output: 6 };
    expect(await model.complete(request)).toEqual({ text: FACTS, finish: 'stop', usage });
    expect(await model.completeJson(request, shape)).toEqual({ kind: 'ok', value: { facts: ['tea'] }, usage });
    const [first, second] = await readCalls();
    expect(first).toEqual({
      args: programs[provider].toArgs('small'),
      input: `${request.messages[0]?.content}\n\n${request.messages[1]?.content}`,
      folder: [],
    });
    expect(first.args.join(' ')).toContain('--model small');
    expect(second.input).toContain('"facts"');
  });

  it.each([
    ['Claude usage limit reached', 'rate_limited', 'takes no more questions'],
    ['Please run /login', 'unauthorized', 'is not signed in'],
    ['The secret words of a server', 'unavailable', 'check LLM_PROVIDER'],
  ])('says in words of ours what failed: %s', async (words, code, told) => {
    await install(provider, { stdout: failed[provider](words), code: 1 });
    const error: unknown = await open(provider)
      .complete(request)
      .catch((one: unknown) => one);
    expect(error).toMatchObject({ code, message: expect.stringContaining(told) });
    expect(String(error)).not.toContain(words);
  });

  it('is told to be what it is when it prints no JSON, is missing, or answers too late', async () => {
    await expect(open(provider, { env: { PATH: folder } }).complete(request)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('is not installed'),
    });
    await install(provider, { stdout: 'Hello!' });
    await expect(open(provider).complete(request)).rejects.toMatchObject({ code: 'unavailable' });
    await install(provider, { waits: true });
    await expect(open(provider, { timeoutMs: 1_500 }).complete(request)).rejects.toMatchObject({ code: 'timeout' });
    // The next question is asked all the same.
    await install(provider, { stdout: spoken[provider]('yes') });
    expect((await open(provider).complete(request)).text).toBe('yes');
  });
});

it('is opened by its name, and not together with an address', async () => {
  const choice = {
    llmModel: undefined,
    llmBaseUrl: undefined,
    llmApiKey: undefined,
    llmStructured: 'auto' as const,
    llmTimeoutMs: 1_000,
    llmConcurrency: 1,
  };
  expect(await openChatModel({ ...choice, llmProvider: 'codex' })).toMatchObject({ model: 'codex', address: 'codex' });
  await expect(openChatModel({ ...choice, llmProvider: 'codex', llmBaseUrl: 'http://127.0.0.1:9/v1' })).rejects.toThrow(
    'LLM_BASE_URL',
  );
});
