import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSkeletonGaps } from '@contextloom/testing/skeleton';
import { afterEach, describe, expect, it } from '@jest/globals';

const services = resolve(dirname(fileURLToPath(import.meta.url)), '../../../services');
/** What has no operations of its own: the command, the page of the aggregator, the servers in one process, and what stands before a provider. */
const others = ['cli', 'console', 'single-process', 'proxy'];

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
  it.each(readdirSync(services).filter((name) => !others.includes(name)))('is that of %s', (name) => {
    expect(findSkeletonGaps(join(services, name))).toEqual([]);
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
