import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { JsonObject } from '@contextloom/contracts';
import { createUpstreams, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterEach, describe, expect, it } from '@jest/globals';
import { toDataFolderServers } from './fixtures/data-folder-servers.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../../..');
const fixtures = join(here, 'fixtures');
/** The data folders of earlier versions: what each holds, and what is to be found in it. */
const versions = readdirSync(fixtures).filter((name) => /^data-folder-\d/.test(name));

interface Question {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly contains: readonly string[];
}
interface Contents {
  readonly vaultKey: string;
  readonly questions: readonly Question[];
  /** Servers that two processes may run at once over one store. */
  readonly shared: readonly string[];
}

const readJson = <T>(version: string, name: string): T =>
  JSON.parse(readFileSync(join(fixtures, version, name), 'utf8'));

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function copyDataFolder(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'contextloom-data-folder-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const tar = brotliDecompressSync(readFileSync(join(fixtures, version, 'data.tar.br')));
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: tar });
  return folder;
}

function openServers(folder: string, vaultKey: string): Upstreams {
  const servers = toDataFolderServers(root, folder, vaultKey);
  const upstreams = createUpstreams({ servers, clientName: 'test', clientVersion: '0', log: silentLog });
  cleanups.push(() => upstreams.close());
  return upstreams;
}

async function ask(upstreams: Upstreams, { server, tool, arguments: given, contains }: Question): Promise<void> {
  const answer = await upstreams.call(server, tool, given, { timeoutMs: 120_000 });
  const said = answer.kind === 'ok' ? `${answer.value.text} ${JSON.stringify(answer.value.structured)}` : answer;
  const missing = typeof said === 'string' ? contains.filter((part) => !said.includes(part)) : contains;
  expect({ server, tool, given, missing, said }).toMatchObject({ missing: [] });
}

describe.each(versions)('the stores of %s', (version) => {
  const { vaultKey, questions, shared } = readJson<Contents>(version, 'contents.json');

  it('open with this version, and have all that was stored', async () => {
    const upstreams = openServers(copyDataFolder(version), vaultKey);
    for (const question of questions) await ask(upstreams, question);
  });

  it.each([
    ['knowledge-base', 'knowledge-base/knowledge-base.sqlite'],
    ['personal-memory', 'personal-memory/memory.db'],
  ])('are refused and left alone by a version that is older than they are: %s', async (server, path) => {
    const folder = copyDataFolder(version);
    const bytes = readFileSync(join(folder, path));
    // The version of the schema. Source: https://www.sqlite.org/fileformat.html, 1.3.
    bytes.writeUInt32BE(999, 60);
    writeFileSync(join(folder, path), bytes);
    const question = questions.find((one) => one.server === server);
    const upstreams = openServers(folder, vaultKey);
    const answer = await upstreams.call(server, question?.tool ?? '', question?.arguments ?? {}, {
      timeoutMs: 120_000,
    });
    expect(JSON.stringify(answer)).toMatch(/schema version 999, .*use the newer program/);
    expect(readFileSync(join(folder, path)).equals(bytes)).toBe(true);
  });

  it('open in two processes at once, and have it in both', async () => {
    const folder = copyDataFolder(version);
    const both = [openServers(folder, vaultKey), openServers(folder, vaultKey)];
    for (const question of questions.filter(({ server }) => shared.includes(server))) {
      await Promise.all(both.map((upstreams) => ask(upstreams, question)));
    }
  });
});
