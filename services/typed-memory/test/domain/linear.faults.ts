import { memoryTypes } from '@contextloom/contracts/typed-memory';
import { findSuperlinear, REPEATED_UNITS } from '@contextloom/testing/growth';
import { describe, expect, it } from '@jest/globals';
import { proposeType } from '../../src/domain/categorize.ts';
import { findEventTime, toCoreKey, toDetails } from '../../src/domain/details.ts';
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

/** What the expressions of these readers could stumble over, next to what any expression could. */
const units = [
  ...REPEATED_UNITS,
  ' \n',
  '、',
  ';',
  '：',
  '->',
  '1.',
  '1. ',
  '①',
  'step ',
  'step 1 ',
  '第一步',
  'then ',
  '先',
  'is ',
  'a b',
  'a: ',
  '是',
  '://',
  'http://',
  'a.b',
  '\u0301\u0316',
  '今天',
  '了',
  'last ',
  "'",
];
const frames: readonly ((body: string) => string)[] = [
  (body) => body,
  (body) => `a${body}b`,
  (body) => `step 1${body}\nb`,
];

describe.each(Object.entries(readers))('reading %s', (_name, read) => {
  it('takes time in proportion to the length of the text', () => {
    for (const frame of frames) expect(findSuperlinear((text) => read(frame(text)), { units })).toEqual([]);
  });
});
