import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../src/program.ts';

const root = new URL('../../../', import.meta.url);
const isText = (name: string): boolean => name.endsWith('.md');
const texts = [
  ...['README.md', 'services/cli/README.md'],
  ...readdirSync(new URL('docs/', root))
    .filter(isText)
    .map((name) => `docs/${name}`),
  ...readdirSync(new URL('docs/guides/', root))
    .filter(isText)
    .map((name) => `docs/guides/${name}`),
];

/** The lines of a text that run the command, comments and settings in front left out. */
const toCommands = (text: string): readonly string[] =>
  [...text.matchAll(/^[ \t]*(?:\$ )?npx (?:-y )?contextloom (.+)$/gm)].map(
    ([, line = '']) => line.split(/ {2,}#| #/)[0] ?? '',
  );

/** The words of a line as a shell reads them; no line here needs more than quotes. */
const toWords = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');

const program = createProgram({
  stdout: { write: () => undefined },
  stderr: { write: () => undefined },
  ...{ env: {}, cwd: '/', execPath: 'node', signal: new AbortController().signal },
  ...{ clock: () => new Date(0), now: () => 0 },
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
  it.each(texts)('are there, with their options, in %s', (name) => {
    const commands = toCommands(readFileSync(new URL(name, root), 'utf8'));
    const unknown = commands
      .map((line) => [line, findUnknown(toWords(line))])
      .filter(([, found]) => found?.length !== 0);
    expect(unknown).toEqual([]);
  });

  it('are many, and a wrong one is seen', () => {
    const all = texts.flatMap((name) => toCommands(readFileSync(new URL(name, root), 'utf8')));
    expect(all.length).toBeGreaterThan(40);
    expect(findUnknown(['memories', '--user', 'ann', '--qeury', 'x'])).toEqual(['--qeury']);
    expect(findUnknown(['memoires'])).toEqual(['memoires']);
  });

  it('stand in guides whose links lead somewhere', () => {
    const missing = texts.flatMap((name) => {
      const text = readFileSync(new URL(name, root), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
      const links = [...text.matchAll(/\]\((?!https?:|#|\/)([^)#\s]+)/g)].map(([, link = '']) => link);
      return links
        .filter((link) => !existsSync(new URL(link, new URL(name, root))))
        .map((link) => `${basename(name)}: ${link}`);
    });
    expect(missing).toEqual([]);
  });
});
