import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const config = join(root, 'shared/tooling/dependency-cruiser.cjs');

/** The libraries that others import. */
const PACKAGES = [
  'contracts',
  'languages',
  'retrieval',
  'runtime',
  'safety',
  'llm',
  'sqlite',
  'access',
  'mcp-client',
  'server-kit',
  'testing',
];

/** A small repository with the real one's layout, into which each test plants one wrong import. */
const repository: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...PACKAGES, 'knowledge-client', 'client'].map((name) => [`shared/${name}/src/index.ts`, 'export const x = 1;']),
  ),
  'shared/client/src/node/stdio.ts': 'export const x = 1;',
  'services/a/src/domain/rule.ts': 'export const x = 1;',
  'services/a/src/store/store.ts': 'export interface Store { a: 1 }',
  'services/a/src/store/sqlite-store.ts': 'export const x = 1;',
  'services/a/src/tools/tool.ts': 'export const x = 1;',
  'services/a/src/server.ts': 'export const x = 1;',
  'services/a/test/rule.test.ts': 'export const x = 1;',
  'services/b/src/server.ts': 'export const x = 1;',
  'services/agent-memory/src/domain/lower/rule.ts': 'export const x = 1;',
  'services/agent-memory/src/domain/upper/rule.ts': "export { x } from '../lower/rule.ts';",
  'services/agent-memory/src/domain/upper/other.ts': 'export const x = 1;',
  'shared/server-kit/src/http/rule.ts': 'export const x = 1;',
  'shared/server-kit/src/tool/rule.ts': "export { x } from '../http/rule.ts';",
  'shared/server-kit/src/tool/other.ts': 'export const x = 1;',
  'node_modules/@modelcontextprotocol/server/index.js': 'export const x = 1;',
  'node_modules/better-sqlite3/index.js': 'export const x = 1;',
  'node_modules/chromadb/index.js': 'export const x = 1;',
  'node_modules/openai/index.js': 'export const x = 1;',
  'node_modules/pg/index.js': 'export const x = 1;',
  'node_modules/zod/index.js': 'export const x = 1;',
  'node_modules/express/index.js': 'export const x = 1;',
};

const planted: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['shared-contracts-imports-downward-only', 'shared/contracts/src/bad-1.ts', '@contextloom/retrieval'],
  ['shared-retrieval-imports-downward-only', 'shared/retrieval/src/bad-2.ts', '@contextloom/llm'],
  ['shared-llm-imports-downward-only', 'shared/llm/src/bad-3.ts', '@contextloom/sqlite'],
  ['shared-sqlite-imports-downward-only', 'shared/sqlite/src/bad-4.ts', '@contextloom/llm'],
  ['shared-postgres-imports-downward-only', 'shared/postgres/src/bad-38.ts', '@contextloom/sqlite'],
  ['shared-languages-imports-downward-only', 'shared/languages/src/bad-37.ts', '@contextloom/retrieval'],
  ['shared-runtime-imports-downward-only', 'shared/runtime/src/bad-32.ts', '@contextloom/retrieval'],
  ['shared-safety-imports-downward-only', 'shared/safety/src/bad-33.ts', '@contextloom/llm'],
  ['shared-access-imports-downward-only', 'shared/access/src/bad-34.ts', '@contextloom/mcp-client'],
  ['shared-mcp-client-imports-downward-only', 'shared/mcp-client/src/bad-35.ts', '@contextloom/server-kit'],
  ['shared-server-kit-imports-downward-only', 'shared/server-kit/src/bad-5.ts', '@contextloom/sqlite'],
  ['shared-testing-imports-downward-only', 'shared/testing/src/bad-36.ts', '@contextloom/sqlite'],
  ['shared-transcripts-imports-downward-only', 'shared/transcripts/src/bad-31.ts', '@contextloom/llm'],
  ['shared-knowledge-client-imports-downward-only', 'shared/knowledge-client/src/bad-24.ts', '@contextloom/llm'],
  ['shared-client-imports-downward-only', 'shared/client/test/bad-28.ts', '@contextloom/sqlite'],
  ['client-imports-errors-only', 'shared/client/src/bad-29.ts', '@contextloom/contracts'],
  ['client-runs-in-browsers', 'shared/client/src/bad-30.ts', './node/stdio.ts'],
  ['services-never-import-each-other', 'services/a/src/bad-6.ts', '../../b/src/server.ts'],
  ['single-process-loads-programs-only', 'services/single-process/src/bad-28.ts', '../../b/src/server.ts'],
  ['shared-never-imports-services', 'shared/llm/src/bad-7.ts', '../../../services/a/src/domain/rule.ts'],
  ['contracts-imports-zod-only', 'shared/contracts/src/bad-8.ts', 'express'],
  ['readers-take-their-schemas-from-contracts', 'services/console/src/bad-40.ts', 'zod'],
  ['readers-take-their-schemas-from-contracts', 'services/context-aggregator/src/sources/stores/bad-41.ts', 'zod'],
  ['mcp-sdk-in-its-packages-only', 'services/a/src/bad-9.ts', '@modelcontextprotocol/server'],
  ['sqlite-in-its-package-only', 'services/a/src/store/bad-10.ts', 'better-sqlite3'],
  ['domain-imports-contracts-and-retrieval-only', 'services/a/src/domain/bad-11.ts', 'express'],
  ['domain-imports-contracts-and-retrieval-only', 'services/a/src/domain/bad-12.ts', '@contextloom/server-kit'],
  ['domain-sees-store-ports-not-adapters', 'services/a/src/domain/bad-13.ts', '../store/sqlite-store.ts'],
  ['entries-reach-the-store-through-domain', 'services/a/src/tools/bad-14.ts', '../store/sqlite-store.ts'],
  ['nothing-imports-an-entry-file', 'services/a/src/tools/bad-15.ts', '../server.ts'],
  ['src-never-imports-tests', 'services/a/src/bad-16.ts', '../test/rule.test.ts'],
  ['src-never-imports-tests', 'services/a/src/bad-17.ts', '@contextloom/testing'],
  ['no-cycles', 'services/a/src/domain/bad-18.ts', './cycle-18.ts'],
  ['no-unresolvable', 'services/a/src/bad-20.ts', './nowhere.ts'],
  ['chroma-behind-its-store-only', 'services/a/src/store/bad-22.ts', 'chromadb'],
  ['postgres-behind-its-store-only', 'services/a/src/store/bad-25.ts', 'pg'],
  ['model-client-in-llm-only', 'services/a/src/bad-23.ts', 'openai'],
  ['folders-run-one-way', 'services/agent-memory/src/domain/lower/bad-26.ts', '../upper/other.ts'],
  ['folders-run-one-way', 'shared/server-kit/src/http/bad-27.ts', '../tool/other.ts'],
  ['no-undeclared-packages', 'services/a/src/bad-21.ts', 'zod'],
];

let folder: string;

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

function findViolations(): Promise<readonly Violation[]> {
  return new Promise((done, failed) => {
    const args = [cruiser, '--config', config, '--output-type', 'json', 'shared', 'services'];
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 1 << 26 }, (_error, stdout, stderr) => {
      if (!stdout.startsWith('{')) return failed(new Error(stderr));
      done(JSON.parse(stdout).summary.violations);
    });
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'directions-'));
  for (const [file, text] of Object.entries(repository)) await write(file, text);
  await write('package.json', '{"name":"repository","type":"module"}');
  for (const name of PACKAGES) {
    const exported = { '.': { '@contextloom/source': './src/index.ts' } };
    await write(`shared/${name}/package.json`, JSON.stringify({ name: `@contextloom/${name}`, exports: exported }));
    await mkdir(join(folder, 'node_modules/@contextloom'), { recursive: true });
    await symlink(join(folder, 'shared', name), join(folder, 'node_modules/@contextloom', name));
  }
  for (const name of ['@modelcontextprotocol/server', 'better-sqlite3', 'zod', 'express']) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe('the direction rules', () => {
  it('find nothing wrong with a repository in order', async () => {
    expect(await findViolations()).toEqual([]);
  });

  it('each catch the wrong import that is planted for them', async () => {
    for (const [, file, imported] of planted) {
      await write(file, `import * as bad from '${imported}';\nexport const y = bad;\n`);
    }
    await write('services/a/src/domain/cycle-18.ts', "import './bad-18.ts';\n");
    const found = (await findViolations()).map(({ from, rule }) => `${rule.name} in ${from}`);
    const toPlace = (rule: string, file: string) => (rule === 'folders-run-one-way' ? dirname(file) : file);
    const expected = planted.map(([rule, file]) => `${rule} in ${toPlace(rule, file)}`);
    expect(expected.filter((violation) => !found.includes(violation))).toEqual([]);
  });

  it('have a planted violation each', async () => {
    const { default: rules } = await import(config);
    const names = rules.forbidden.map(({ name }: { name: string }) => name);
    expect([...new Set(planted.map(([rule]) => rule))].sort()).toEqual([...names].sort());
  });
});
