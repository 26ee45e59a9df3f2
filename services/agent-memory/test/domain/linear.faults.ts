import { contentSchema, labelSchema } from '@contextloom/contracts/agent-memory';
import { toRounds } from '@contextloom/testing/rounds';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toFileLines } from '../../src/domain/context/file-lines.ts';
import { markEntries } from '../../src/domain/grammar/edit.ts';
import { parseEntries } from '../../src/domain/grammar/entry-file.ts';
import { parsePassages } from '../../src/domain/grammar/passages.ts';
import { parseOwner } from '../../src/domain/identity/owner.ts';
import { parseSpirit } from '../../src/domain/identity/spirit.ts';
import { parseToolDefinitions } from '../../src/domain/identity/tool-definitions.ts';
import { summarizeByRules } from '../../src/domain/maintenance/summary.ts';
import { nameEntries } from '../../src/domain/sync/naming.ts';
import { orOwnError } from '../support/errors.ts';

const DAY = 'memory/2026-02-14.md';
const entry = { id: '', content_type: 'manual', source_file: DAY, date: '2026-02-14' } as const;
const times = { created_at: '2026-02-14T00:00:00.000Z', updated_at: '2026-02-14T00:00:00.000Z' };

/** All that reads a text of a person's or a caller's. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a daily log': (text) => parseEntries(DAY, text),
  'MEMORY.md': (text) => parseEntries('MEMORY.md', text),
  'what stands outside of entries': (text) => parsePassages('MEMORY.md', text, parseEntries('MEMORY.md', text)),
  'the ids of entries': (text) =>
    nameEntries(DAY, parseEntries(DAY, text), { isElsewhere: async () => false, isSettling: true }),
  'the writing of ids': (text) => markEntries(DAY, text, new Map()),
  'SPIRIT.md': (text) => orOwnError(() => parseSpirit(text)),
  'OWNER.md': parseOwner,
  'TOOLS.md': parseToolDefinitions,
  'the lines of a file': toFileLines,
  'a summary by rules': (text) => summarizeByRules([{ ...entry, ...times, content: text }]),
  'the content of a call': (text) => contentSchema.safeParse(text),
  'a label of a call': (text) => labelSchema.safeParse(text),
};

/** What Markdown, and the grammar of entries, begin something with. */
const signs = [
  '> ',
  '* ',
  '+ ',
  '- ',
  '1. ',
  '# ',
  '## a\n',
  '### 10:30 - x\n',
  '### 2026-02-14\n',
  '### 10:30 -',
  '[a] ',
  '[',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\u2028',
  '\u3000',
  '---\n',
  '```\n',
  '~~~',
  '<!-- ',
  '-->',
  '<!-- id: ',
  '; metadata: {',
  '}',
  '<div>',
  '<pre>\n',
  'a',
  '字',
  ': ',
  '：',
  '#',
  '=\n',
  '-',
  '`',
  '- a: b\n',
  '- a:\n',
  '  - enabled: no\n',
  'x\n',
  '|',
];
const shape = fc.tuple(
  fc.constantFrom('', '---\n', '## 基本信息\n- ', '## a\n- ', '### 10:30 - ', '### 2026-02-14\n', '<!-- id: 1;'),
  fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 4 }).map((some) => some.join('')),
  fc.constantFrom('', 'x', '\u2028', '\n---\n', '}', '\nx\n'),
);

const LENGTH = 8_000;
const TIMES = 8;
/** Below so many milliseconds nothing is told of growth: squared, the longer text takes more than a second. */
const FLOOR_MS = 100;
/** Eight times the length takes eight times as long, and more when memory is collected; 64 times if it were squared. */
const MOST = 24;

/** Processor time in milliseconds, which other programs on the machine do not lengthen as they do the time on the wall. */
async function measure(read: (text: string) => unknown, text: string): Promise<number> {
  const begun = process.cpuUsage();
  await read(text);
  const { user, system } = process.cpuUsage(begun);
  return Math.max(0.1, (user + system) / 1_000);
}

const toGrowth = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  long < FLOOR_MS ? 0 : long === Number.POSITIVE_INFINITY ? long : long / short;

/** How much longer eight times the text takes; the machine may be busy, so the least of some tries counts. */
async function findGrowth(read: (text: string) => unknown, [head, middle, tail]: readonly [string, string, string]) {
  const toText = (length: number) => head + middle.repeat(Math.ceil(length / middle.length)) + tail;
  const [short, long] = [toText(LENGTH), toText(TIMES * LENGTH)];
  let least = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY };
  for (let tries = 0; tries < 5 && toGrowth(least) >= MOST; tries += 1) {
    const { short: before, long: after } = least;
    least = { short: Math.min(before, await measure(read, short)), long: Math.min(after, await measure(read, long)) };
  }
  return toGrowth(least);
}

describe('the time that a text takes', () => {
  it.each(Object.keys(readers))('grows with its length and no faster: %s', async (name) => {
    const read = readers[name] ?? (() => undefined);
    await fc.assert(
      fc.asyncProperty(shape, async (parts) => {
        expect(await findGrowth(read, parts)).toBeLessThan(MOST);
      }),
      {
        // More than the examples.
        numRuns: toRounds(20, 40),
        examples: [
          [['', '> ', '']],
          [['', '> ### 2026-02-14\n=\n', '']],
          [['', '* + - ', '']],
          [['', '* + - a\n', '']],
          [['', '> a\nb\n', '']],
          [['### 10:30 -', ' ', '\u2028']],
          [['## a\n-', ' ', '\u2028']],
          [['- ', ' ', 'x']],
          [['', '\n', 'x']],
          [['', '### 10:30\nx\n', '']],
          [['### 10:30\n<!-- id: 5f0c7d0a-4a7e-8c1b-a0de-0c1b2f3a4d5e', ';metadata:{', ' -->\nx']],
        ],
      },
    );
  });
});
