import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createEmbedder } from '@contextloom/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKnowledgeBase } from '../src/domain/local-knowledge-base.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { serviceFile, start, untilListening } from './support/children.ts';
import { ask, makeFolder } from './support/service.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await makeFolder();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  start(serviceFile, args, { KB_DATA_DIR: dataDir, KB_PORT: '0', ...env });

async function writeIn(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, 'This is no database. '.repeat(500));
  return file;
}

/** Leaves one document in a store whose index a program of another version made. */
async function fillInAnotherWay(folder: string): Promise<void> {
  const embedder = await createEmbedder({ provider: 'lexical' });
  const file = join(folder, 'knowledge-base.sqlite');
  const store = await openSqliteStore({ file, embedder: embedder.identity, indexVersion: 999 });
  const parts = { isolation: 'strict', clock: () => new Date(), newId: randomUUID } as const;
  const knowledgeBase = createKnowledgeBase({ store, embedder, ...parts });
  await knowledgeBase.add([{ doc_id: 'old', content: '一本旧书', tags: [], metadata: {} }]);
  await knowledgeBase.close();
}

describe('the HTTP service as a process', () => {
  it('prints its help, its version and its settings, and ends', async () => {
    const [help, version, config] = await Promise.all(
      ['--help', '--version', '--print-config'].map((flag) => run([flag], { KB_ISOLATION: 'off' }).ended),
    );
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const word of ['--rebuild-index', 'KB_PORT', 'KB_HOST', 'KB_DATA_DIR', 'KB_ISOLATION', 'LOG_LEVEL']) {
      expect(help?.stdout).toContain(word);
    }
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(JSON.parse(config?.stdout ?? '')).toMatchObject({
      isolation: { value: 'off', source: { env: 'KB_ISOLATION' } },
      host: { value: '127.0.0.1', source: 'default' },
      dataDir: { value: dataDir, source: { env: 'KB_DATA_DIR' } },
    });
  });

  it('tries out its store and its embedder with --check', async () => {
    const { code, stdout, stderr } = await run(['--check']).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { port: { source: { env: 'KB_PORT' } } },
      checks: [{ name: 'store', status: 'ok' }, { name: 'embeddings' }],
    });
  });

  it('offers no writing with --read-only', async () => {
    const service = run(['--read-only']);
    const url = await untilListening(service);
    expect((await ask(url, 'POST', '/add', { content: 'A note.' })).status).toBe(403);
    expect((await ask(url, 'POST', '/search', { query: 'note' })).status).toBe(200);
    await service.stop();
  });

  it.each([
    [[], { KB_PORT: 'http' }, /KB_PORT must be/],
    [[], { KB_ISOLATION: 'maybe' }, /KB_ISOLATION must be one of "strict", "off"/],
    [[], { EMBEDDING_PROVIDER: 'magic' }, /EMBEDDING_PROVIDER must be lexical, local, ollama, openai, or/],
    [['--port', '1'], {}, /--port/],
  ])('ends with code 2 and one line for a wrong flag or setting: %j %j', async (args, env, message) => {
    const { code, stdout, stderr } = await run(args, env as Record<string, string>).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('ends with code 1 and one line that names the port and KB_PORT when the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run([], { KB_PORT: String(port) }).ended;
    other.close();
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(new RegExp(`port ${port} on 127\\.0\\.0\\.1 is in use.*KB_PORT`));
  });

  it.each(['data', './data', '../data', '~/data'])(
    'refuses the folder %s, which depends on where it is started',
    async (folder) => {
      const { code, stderr } = await run(['--print-config'], { KB_DATA_DIR: folder }).ended;
      expect(code).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toMatch(/KB_DATA_DIR must be an absolute path, such as /);
    },
  );

  it('warns when others than this machine can reach it, since nobody has to say who they are', async () => {
    const warnings = async (host: string) => {
      const service = run([], { KB_HOST: host, ALLOW_INSECURE: 'true' });
      await untilListening(service);
      const { stderr } = await service.stop();
      return stderr.split('\n').filter((line) => line.includes('"level":40'));
    };
    expect(await warnings('0.0.0.0')).toEqual([expect.stringMatching(/0\.0\.0\.0.*nobody is authenticated/)]);
    expect(await warnings('127.0.0.1')).toEqual([]);
    expect(await warnings('localhost')).toEqual([]);
  });

  it.each([
    ['cannot be made', async (folder: string) => join(await writeIn(folder, 'file'), 'below-a-file')],
    ['holds something else', async (folder: string) => dirname(await writeIn(folder, 'knowledge-base.sqlite'))],
  ])('ends with code 1 and one line that names the folder when it %s', async (_name, prepare) => {
    const folder = await makeFolder();
    const unusable = await prepare(folder);
    const { code, stderr } = await run([], { KB_DATA_DIR: unusable }).ended;
    await rm(folder, { recursive: true });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`(KB_DATA_DIR is ${unusable})`);
  });

  it('on SIGTERM answers what it was asked, closes the store, and ends with code 0; a restart finds everything', async () => {
    const first = run([]);
    const url = await untilListening(first);
    const writes = Array.from({ length: 50 }, (_, at) =>
      ask(url, 'POST', '/add', { doc_id: `drain-${at}`, content: `written while ending ${at}` }),
    );
    await writes[0];
    const [ended, ...answers] = await Promise.all([
      first.stop(),
      ...writes.map((write) => write.catch(() => undefined)),
    ]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe('');

    const second = run([]);
    const again = await untilListening(second);
    for (const [at, answer] of answers.entries()) {
      if (answer?.status !== 200) continue;
      expect((await ask(again, 'GET', `/documents/drain-${at}`)).status).toBe(200);
    }
    expect(answers.filter((answer) => answer?.status === 200).length).toBeGreaterThan(0);
    expect((await second.stop()).code).toBe(0);
  });

  it('serves a store whose index was made in another way, makes it again, and does so at once when asked', async () => {
    for (const isAsked of [false, true]) {
      const folder = await makeFolder();
      const env = { KB_DATA_DIR: folder };
      await fillInAnotherWay(folder);
      if (isAsked) {
        const rebuilt = await run(['--rebuild-index'], env).ended;
        expect(rebuilt).toMatchObject({ code: 0, stdout: 'Index rebuilt over 1 document.\n' });
      }
      const service = run([], env);
      const { json } = await ask(await untilListening(service), 'POST', '/search', { query: '旧书' });
      expect(json.results).toMatchObject([{ id: 'old', content: '一本旧书' }]);
      await service.stop();
      await rm(folder, { recursive: true });
    }
  });
});
