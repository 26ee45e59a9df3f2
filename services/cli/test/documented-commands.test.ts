import { existsSync } from 'node:fs';
import { parseJsonc } from '@contextloom/mcp-client';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../src/program.ts';
import {
  allDocuments,
  documents,
  inRepository,
  readDocument,
  toBlocks,
  toCommands,
  toWords,
} from './fixtures/documents.ts';

const program = createProgram({
  stdout: { write: () => undefined },
  stderr: { write: () => undefined },
  env: {},
  cwd: '/',
  execPath: 'node',
  signal: new AbortController().signal,
  clock: () => new Date(0),
  now: () => 0,
});

/** What of a command line this version does not know. */
function findUnknown(words: readonly string[]): readonly string[] {
  let command: Command = program;
  const before = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  // Their flags are those of a server; `documented-snippets.e2e.ts` asks it.
  if (before[0] === 'serve' || before[0] === 'proxy') return [];
  for (const word of before) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
  }
  if (command === program && !before[0]?.startsWith('-')) return [before[0] ?? ''];
  const options = [...program.options, ...command.options];
  const flags = before.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? '');
  return flags.filter((flag) => flag !== '--help' && !options.some(({ long }) => long === flag));
}

describe('the commands that the documentation shows', () => {
  it.each(documents)('are there, with their options, in %s', (name) => {
    const commands = toCommands(readDocument(name));
    const unknown = commands
      .map((line) => [line, findUnknown(toWords(line))])
      .filter(([, found]) => found?.length !== 0);
    expect(unknown).toEqual([]);
  });

  it('are many, and a wrong one is seen', () => {
    const all = documents.flatMap((name) => toCommands(readDocument(name)));
    expect(all.length).toBeGreaterThan(40);
    expect(findUnknown(['memories', '--user', 'ann', '--qeury', 'x'])).toEqual(['--qeury']);
    expect(findUnknown(['memoires'])).toEqual(['memoires']);
  });

  it.each(documents)('stand next to JSON that can be read, and that starts what there is, in %s', (name) => {
    for (const block of toBlocks(readDocument(name), 'json')) {
      // Some show what stands inside of an object.
      const text = block.trim().startsWith('"') ? `{${block}}` : block;
      expect(parseJsonc(text, name)).toBeInstanceOf(Object);
      const programs = [...text.matchAll(/services\/[\w-]+\/dist\/\w+\.js/g)].map(([path]) => path);
      const sources = programs.map((path) => path.replace('/dist/', '/src/').replace(/js$/, 'ts'));
      expect(sources.filter((path) => !existsSync(inRepository(path)))).toEqual([]);
      const commands = [...text.matchAll(/"command": "npx -y contextloom ([^"]+)"/g)].map(([, line = '']) => line);
      expect(commands.flatMap((line) => findUnknown(toWords(line)))).toEqual([]);
    }
  });
});

describe('every document', () => {
  it('has links that lead somewhere', () => {
    const missing = allDocuments.flatMap((name) => {
      const text = readDocument(name).replace(/^```[\s\S]*?^```/gm, '');
      const links = [...text.matchAll(/\]\((?!https?:|#|\/)([^)#\s]+)/g)].map(([, link = '']) => link);
      return links.filter((link) => !existsSync(inRepository(link, name))).map((link) => `${name}: ${link}`);
    });
    expect(missing).toEqual([]);
  });

  it('names scripts of npm and files of the sources that there are', () => {
    const { scripts } = JSON.parse(readDocument('package.json'));
    const missing = allDocuments.flatMap((name) => {
      const text = readDocument(name);
      const ran = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script = '']) => script);
      const files = [
        ...text.matchAll(/\b(?:services|shared)\/[\w-]+\/(?:dist|src|bench|test)\/[\w./-]+\.(?:js|mjs|ts)\b/g),
      ];
      // Programs are built from the sources.
      const sources = files.map(([path]) => path.replace(/\/dist\/(.+)\.js$/, '/src/$1.ts'));
      return [
        ...ran.filter((script) => scripts[script] === undefined),
        ...sources.filter((path) => !existsSync(inRepository(path))),
      ].map((found) => `${name}: ${found}`);
    });
    expect(missing).toEqual([]);
  });
});
