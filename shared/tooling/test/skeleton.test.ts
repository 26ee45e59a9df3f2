import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgramGaps, findSkeletonGaps } from '@contextloom/testing/skeleton';
import { afterEach, describe, expect, it } from '@jest/globals';

const services = resolve(dirname(fileURLToPath(import.meta.url)), '../../../services');
/**
 * What has no operations of its own: the command, the page of the aggregator, the servers in one process, and what stands before a
 * provider; with the files that read the clock or a random id without being entry files.
 */
const others: Readonly<Record<string, readonly string[]>> = {
  // A word that no memory has yet, by which one is looked for again.
  cli: ['src/doctor/try-clients.ts'],
  // What is today is up to the reader's browser.
  console: ['src/home/home.tsx', 'src/memories/presets.tsx', 'src/memories/read-search.ts'],
  'single-process': [],
  proxy: [],
};

const complete: Readonly<Record<string, string>> = {
  'package.json': '{}',
  'README.md': '# one',
  'src/server.ts': 'const clock = () => new Date();\nawait runServer({ clock, env: process.env });',
  'src/config.ts': '',
  'src/build-server.ts': 'export function createOneServer({ clock = () => new Date() }) {}',
  'src/version.ts': '',
  'src/operations/index.ts': "import { get } from './get.ts';\nexport const operations = [get];",
  'src/operations/deps.ts': '',
  'src/operations/get.ts': 'export const get = defineOperation({});',
  'src/domain/one.ts': '/** Not `new Date()`. */',
  'test/authorization.test.ts': '',
};

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function plant(files: Readonly<Record<string, string | undefined>>): string {
  const service = mkdtempSync(join(tmpdir(), 'contextloom-skeleton-'));
  folders.push(service);
  for (const [file, text] of Object.entries({ ...complete, ...files })) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(service, file)), { recursive: true });
    writeFileSync(join(service, file), text);
  }
  return service;
}

describe('the skeleton of a service', () => {
  it.each(readdirSync(services).filter((name) => !Object.hasOwn(others, name)))('is that of %s', (name) => {
    expect(findSkeletonGaps(join(services, name))).toEqual([]);
  });

  it.each(Object.entries(others))('is kept by %s as far as it is no server', (name, edges) => {
    expect(findProgramGaps(join(services, name), edges)).toEqual([]);
  });

  it('is missed by a program without an entry file that reads the clock elsewhere', () => {
    const program = plant({
      'README.md': undefined,
      'src/server.ts': undefined,
      'src/one.ts': 'export const at = Date.now();',
    });
    expect(findProgramGaps(program)).toEqual([
      'README.md is missing',
      'src has no entry file',
      'src/one.ts reads the environment, the clock or a random id, or ends the process',
    ]);
    expect(findProgramGaps(program, ['src/one.ts'])).toHaveLength(2);
  });

  it.each([
    [{}, []],
    [{ 'src/config.ts': undefined }, ['src/config.ts is missing']],
    [{ 'src/server.ts': 'start();' }, ['src/server.ts lacks await runServer(…)']],
    [
      { 'src/operations/put.ts': 'export const put = defineOperation({});' },
      ['src/operations/index.ts does not list src/operations/put.ts'],
    ],
    [
      { 'src/tools/put.ts': 'export const put = defineOperation({});' },
      ['src/tools/put.ts defines an operation outside of src/operations'],
    ],
    [
      { 'src/operations/get.ts': 'export const get = defineOperation({ output: z.object({ id: z.string() }) });' },
      ['src/operations/get.ts writes its input or answer itself: shared/contracts owns them'],
    ],
    ...['new Date()', 'Date.now()', 'process.env', 'process.exit(1)', 'randomUUID()'].map(
      (text) =>
        [
          { 'src/domain/one.ts': `export const one = () => ${text};` },
          ['src/domain/one.ts reads the environment, the clock or a random id, or ends the process'],
        ] as const,
    ),
  ] as const)('with %j has the gaps %j', (files, gaps) => {
    expect(findSkeletonGaps(plant(files))).toEqual(gaps);
  });
});
