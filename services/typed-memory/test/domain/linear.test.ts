import { describe, expect, it } from '@jest/globals';
import { proposeType } from '../../src/domain/categorize.ts';
import { findEventTime, toCoreKey, toDetails } from '../../src/domain/details/index.ts';
import { memoryTypes } from '../../src/domain/memory-type.ts';
import { createLabelTest } from '../../src/domain/vault/names-label.ts';
import { toVaultLabel } from '../../src/domain/vault/vault-label.ts';
import { today } from '../support/service.ts';

/** Everything here that reads a user's text with expressions. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    memoryTypes.map((type) => [`the details of ${type}`, (text: string) => toDetails(type, text, undefined)]),
  ),
  'the type': (text) => proposeType(text),
  'the time of an event': (text) => findEventTime(text, undefined, { now: today, zone: 'UTC' }),
  'the key of a core fact': (text) => toCoreKey(text),
  'the label of a secret': (text) => toVaultLabel(text, 'the gate', today),
  'the label of a context': (text) => toVaultLabel('x', text, today),
  'a question after a secret': (text) => createLabelTest(text)('the gate'),
};

/** What expressions have stumbled over: runs of one kind, and beginnings of what never ends. */
const units = [
  ...[
    ' ',
    '\t',
    '\n',
    ' \n',
    ',',
    '，',
    '.',
    '、',
    ';',
    ':',
    '：',
    '-',
    '->',
    '=',
    '/',
    '#',
    'a',
    '是',
    '1',
    '1.',
    '1. ',
    '①',
  ],
  ...[
    'step ',
    'step 1 ',
    '第一步',
    'then ',
    '先',
    'is ',
    'a b',
    'a: ',
    '://',
    'http://',
    'a.b',
    '\u0301\u0316',
    '今天',
    '了',
    'last ',
    "'",
  ],
];
const frames: readonly ((body: string) => string)[] = [
  (body) => body,
  (body) => `a${body}b`,
  (body) => `step 1${body}\nb`,
];
/** Under what the readers take at most of a text: beyond that all is equally fast, whatever the expression. */
const LENGTHS = [1_800, 8_000] as const;
/** Times under this are noise, in milliseconds. */
const NOISE_MS = 20;
/** A quadratic expression makes four of it, a linear one two. */
const MAX_RATIO = 3;
/** How often a ratio is taken again: others use the machine too. */
const ATTEMPTS = 5;

const timeOf = (read: () => unknown): number => {
  const start = performance.now();
  read();
  return performance.now() - start;
};
const leastOf = (read: () => unknown): number => Math.min(timeOf(read), timeOf(read), timeOf(read));

/** Whether twice the text takes more than its share of time, each time it is measured. */
function isSteep(read: () => unknown, readDoubled: () => unknown): boolean {
  if (timeOf(readDoubled) < NOISE_MS) return false;
  return Array.from({ length: ATTEMPTS }).every(() => {
    const doubled = leastOf(readDoubled);
    return doubled >= NOISE_MS && doubled / leastOf(read) > MAX_RATIO;
  });
}

describe.each(Object.entries(readers))('reading %s', (_name, read) => {
  it.each(LENGTHS)('takes about twice the time for twice %i characters', (length) => {
    const steep = units.flatMap((unit) =>
      frames.flatMap((frame) => {
        const text = frame(unit.repeat(length / unit.length));
        const doubled = frame(unit.repeat((2 * length) / unit.length));
        return isSteep(
          () => read(text),
          () => read(doubled),
        )
          ? [doubled.slice(0, 20)]
          : [];
      }),
    );
    expect(steep).toEqual([]);
  });
});
