import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoresReport } from '../src/doctor/stores.ts';
import { toHome } from './fixtures/home.ts';
import { spawnCli } from './fixtures/spawn-cli.ts';

const SERVICES = ['knowledge-base', 'memory-processor', 'personal-memory', 'agent-memory'];
const server = (service: string) => fileURLToPath(new URL(`../../${service}/dist/server.js`, import.meta.url));
const NO_DATABASE = 'postgres://contextloom@127.0.0.1:9/contextloom';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-migrate-check-'));
  file = join(folder, 'mcp_config.json');
  const entries = SERVICES.map((service) => [service, { command: process.execPath, args: [server(service)] }]);
  await writeFile(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const cli = spawnCli([...args, '--config', file], { ...toHome(folder), ...env });
  const code = await cli.ended;
  return { code, stdout: cli.stdout(), stderr: cli.stderr() };
}

/** The states by service and store, and the code. */
async function check(env: Readonly<Record<string, string>> = {}, ...words: readonly string[]) {
  const { code, stdout } = await run(['migrate', '--json', ...(words.length === 0 ? ['--check'] : words)], env);
  const { success, stores } = JSON.parse(stdout) as StoresReport;
  expect(success).toBe(code === 0);
  const states = stores.map((one) => [`${one.service} ${'store' in one ? one.store : ''}`, one.state] as const);
  return { code, stores, states: Object.fromEntries(states) };
}

const listAll = async (): Promise<readonly string[]> => (await readdir(folder, { recursive: true })).sort();

describe('migrate --check over files', () => {
  it('tells every store, makes nothing, and sees older and newer files', async () => {
    const before = await listAll();
    expect(await check()).toMatchObject({ code: 0, states: { 'personal-memory personal memory': 'missing' } });
    expect(await listAll()).toEqual(before);
    // A start makes the file of memories.
    await run(['doctor']);
    const memory = join(folder, 'contextloom/personal-memory/memory.db');
    const made = await readFile(memory);
    expect(await check()).toMatchObject({
      code: 0,
      states: { 'personal-memory personal memory': 'current', 'knowledge-base documents': 'current' },
    });
    expect(await readFile(memory)).toEqual(made);
    const withVersion = (version: number): Buffer => {
      const bytes = Buffer.from(made);
      bytes.writeUInt32BE(version, 60);
      return bytes;
    };
    await writeFile(memory, withVersion(1));
    expect(await check()).toMatchObject({ code: 1, states: { 'personal-memory personal memory': 'behind' } });
    expect((await run(['migrate', '--check'])).stdout).toMatch(/has version 1 of \d/);
    expect(await readFile(memory)).toEqual(withVersion(1));
    await writeFile(memory, withVersion(99));
    expect((await run(['migrate', '--check'])).stdout).toMatch(/version 99 was made by a newer program/);
    await writeFile(memory, 'no database');
    expect(await check()).toMatchObject({ code: 1, states: { 'personal-memory personal memory': 'unreachable' } });
  }, 120_000);

  it('refuses a direction beside it, and half a direction', async () => {
    expect(await run(['migrate', '--check', '--to', 'postgres'])).toMatchObject({ code: 2 });
    expect(await run(['migrate', '--to', 'postgres'])).toMatchObject({ code: 2 });
  });
});

describeWithPostgres('migrate --check over a database', (postgres) => {
  it('tells what is not there, migrates it by the command alone, and refuses a newer one', async () => {
    const env = { DATABASE_URL: await createDatabase(postgres()) };
    const keys = { ...env, CONTEXTLOOM_KEYS_URL: env.DATABASE_URL };
    const count = async () =>
      runSql(env.DATABASE_URL, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'contextloom%'");
    const fresh = {
      'knowledge-base documents': 'missing',
      'memory-processor jobs and imports': 'missing',
      'personal-memory personal memory': 'missing',
      'context-aggregator keys, connections and activity': 'missing',
    };
    expect(await check(keys)).toMatchObject({ code: 1, states: fresh });
    expect(await count()).toHaveLength(0);
    // Two jobs of a deployment may run at once.
    const both = await Promise.all([check(keys, '--verbose'), check(keys, '--verbose')]);
    for (const one of both) expect(one).toMatchObject({ code: 0 });
    expect(await count()).toHaveLength(4);
    const after = await check(keys);
    expect(after.code).toBe(0);
    expect(after.states).toMatchObject(Object.fromEntries(Object.keys(fresh).map((one) => [one, 'current'])));
    expect(JSON.stringify(after.stores)).toContain('the Postgres database 127.0.0.1');
    await runSql(env.DATABASE_URL, 'UPDATE contextloom_personal_memory.schema_version SET version = 99');
    const newer = await run(['migrate'], env);
    expect(newer).toMatchObject({ code: 1 });
    expect(newer.stdout).toMatch(/personal memory in the Postgres database.*version 99 was made by a newer program/);
  }, 240_000);

  it.each(['personal', 'project'])(
    'moves %s memory of files, and can be run again',
    async (only) => {
      const env = { DATABASE_URL: await createDatabase(postgres()) };
      const { mcpServers } = JSON.parse(await readFile(file, 'utf8'));
      const agentMem = { command: process.execPath, args: [server('project-memory')] };
      await writeFile(file, JSON.stringify({ mcpServers: { ...mcpServers, 'agent-mem': agentMem } }));
      await run(['doctor']);
      const words = ['migrate', '--from', 'sqlite', '--to', 'postgres', '--only', only];
      expect(await run(words, env)).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to move') });
      expect(await run(words, env)).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to move') });
      expect(await run(words)).toMatchObject({ code: 1, stderr: expect.stringContaining('DATABASE_URL') });
    },
    120_000,
  );

  it('says a sentence where the database cannot be reached, and shows no password', async () => {
    const { code, stdout } = await run(['migrate', '--check'], { DATABASE_URL: NO_DATABASE.replace('@', ':hidden@') });
    expect(code).toBe(1);
    expect(stdout).toMatch(/knowledge-base, documents in .*the database of DATABASE_URL cannot be reached/);
    expect(stdout).not.toContain('hidden');
  }, 60_000);
});
