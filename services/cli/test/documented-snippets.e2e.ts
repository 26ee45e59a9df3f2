import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installationRoot } from '@contextloom/mcp-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { zipSync } from 'fflate';
import { checkServer } from '../src/doctor/check-server.ts';
import { documents, inRepository, readDocument, toCommands, toWords } from './fixtures/documents.ts';
import { toHome } from './fixtures/home.ts';
import { type CliRun, runCli } from './fixtures/run-cli.ts';
import { spawnCli } from './fixtures/spawn-cli.ts';
import { createUpFixture, type UpFixture } from './fixtures/up.ts';

/** Commands that run until Ctrl-C, ask a registry or a model, or are run by suites of their own. */
// What is about a value of the profile takes personal memory, which the composition here has not: see real-composition.e2e.ts.
const ELSEWHERE = /^(?:(?:up|console|demo|setup|doctor|servers test|remember <file>)\b|(?:correct|forget) fact:)/;
/** Commands that are given the aggregator that runs here, so that none starts its own. */
const OVER_HTTP = /^(?:memories|recall|prompt|remember|extract|status|export|forget|backup|users)\b/;

const chat = [
  '[14/05/2023, 10:00:00] Ann: My son Kit is badly allergic to walnuts.',
  '[14/05/2023, 10:01:00] Ben: I will bake the cake without them.',
  '[11/04/2024, 18:30:00] Ann: The trip to Orkney is booked for June, by boat.',
].join('\n');

/** Nothing of the user who runs the tests is read or written. */
const toPlaces = (home: string): Record<string, string> => ({
  ...toHome(home),
  CONTEXTLOOM_KEYS_FILE: join(home, 'keys.json'),
  CONTEXTLOOM_CREDENTIALS_FILE: join(home, 'credentials.json'),
  CONTEXTLOOM_CREDENTIALS_KEY_FILE: join(home, 'credentials.key'),
});

let fixture: UpFixture;
let url: string;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  fixture = await createUpFixture(toPlaces);
  url = (await fixture.upAndRunning()).aggregator.url;
  folder = await mkdtemp(join(tmpdir(), 'contextloom snippets 中文-'));
  await mkdir(join(folder, 'services', 'cli'), { recursive: true });
  await cp(fileURLToPath(inRepository('services/cli/examples/')), join(folder, 'services', 'cli', 'examples'), {
    recursive: true,
  });
  await writeFile(join(folder, 'WhatsApp Chat with Ben.txt'), chat);
  await writeFile(join(folder, 'chat.txt'), 'Ann: Kit may not eat walnuts.\nBen: I will remember that.\n');
  await writeFile(join(folder, 'chats.zip'), zipSync({ '_chat.txt': new TextEncoder().encode(chat) }));
  const kept = { CONTEXTLOOM_HOOKS_DIR: join(folder, 'hooks'), CODEX_HOME: join(folder, '.codex') };
  env = {
    ...toPlaces(folder),
    ...kept,
    KB_DATA_DIR: join(fixture.folder, 'knowledge-base'),
    WIKI_KEY: 'w',
    ANNS_WIKI_KEY: 'a',
  };
});
afterAll(async () => {
  await fixture.remove();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** What a person answers to the questions of `init`. */
const ask = async (question: string): Promise<string> => (question.startsWith('Which client?') ? '2' : '');

/** The import to take back instead of the one in the guide, which was another machine's. */
async function findImport(config: string): Promise<string> {
  const { imports } = JSON.parse((await spawnImporter(['--config', config, 'imports', '--json'])).stdout);
  return String(imports.findLast((one: { undone_at?: string | null }) => one.undone_at == null)?.id);
}

/** In a process of its own: it speaks with the terminal. */
async function spawnImporter(words: readonly string[]): Promise<CliRun> {
  const cli = spawnCli(words, env, folder);
  const code = await cli.ended;
  return { code: code ?? -1, stdout: cli.stdout(), stderr: cli.stderr() };
}

async function runAsDocumented(words: readonly string[], config: string): Promise<CliRun> {
  const line = words.join(' ');
  if (/^imports?\b/.test(line)) {
    const isUndo = words[1] === 'undo';
    const own = isUndo
      ? ['imports', 'undo', await findImport(config)]
      : words[0] === 'import'
        ? [...words, '--yes']
        : words;
    return spawnImporter(['--config', config, ...own]);
  }
  const place = OVER_HTTP.test(line) ? ['--url', url] : ['--config', config];
  const machine = { platform: 'linux', home: folder, env } as const;
  return runCli([...place, ...words], { env: { ...env, PATH: process.env['PATH'] }, cwd: folder, machine, ask });
}

/** The composition with the server of which the guides say that callers have accounts there. */
function withCallers(text: string): string {
  const { mcpServers, ...rest } = JSON.parse(text);
  const wiki = { url: 'https://wiki.example.com/mcp', credentials: 'caller' };
  return JSON.stringify({ ...rest, mcpServers: { ...mcpServers, wiki } });
}

/** Several guides show the same line, which runs once. */
const done = new Set<string>();

describe('the commands that the documentation shows', () => {
  it.each(documents)('run as they stand, in %s', async (name) => {
    const config = join(folder, 'mcp_config.json');
    await writeFile(config, await readFile(fixture.config));
    const failed: object[] = [];
    for (const line of toCommands(readDocument(name))) {
      const words = toWords(line);
      if (ELSEWHERE.test(line) || ['proxy', 'serve'].includes(words[0] ?? '')) continue;
      if (done.has(line)) continue;
      done.add(line);
      if (words[1] === 'add' && words[0] === 'servers') await writeFile(config, await readFile(fixture.config));
      if (words[0] === 'credentials') await writeFile(config, withCallers(await readFile(fixture.config, 'utf8')));
      const { code, stderr } = await runAsDocumented(words, config);
      // The composition of this test has no project memory, in which hooks store.
      const expected = /^init\b(?!.* --(?:print|remove-hooks)\b).* --hooks\b/.test(line) ? 1 : 0;
      if (code !== expected) failed.push({ line, code, stderr });
    }
    expect(failed).toEqual([]);
  });

  it('have flags of the proxy that it knows', async () => {
    const lines = documents.flatMap((name) =>
      toCommands(readDocument(name)).filter((line) => line.startsWith('proxy')),
    );
    expect(lines.length).toBeGreaterThan(2);
    const script = join(installationRoot, 'services/proxy/dist/server.js');
    for (const line of new Set(lines)) {
      const entry = { command: process.execPath, args: [script, ...toWords(line).slice(1)], env, cwd: folder };
      const report = await checkServer(entry, { signal: new AbortController().signal });
      expect(report).toMatchObject({ settings: { providerUrl: { source: { flag: '--provider' } } } });
    }
  });
});
