import { isContextloomError } from '@contextloom/contracts';
import { expect } from '@jest/globals';
import type { FormatSample } from './format-samples.ts';
import { type Reading, readAll } from './reading.ts';

/** What was said, over all conversations. */
export const toTurns = ({ conversations }: Reading) =>
  conversations.flatMap(({ sessions }) => sessions.flatMap(({ turns }) => turns));
/** The words of what was said. */
export const toWords = (reading: Reading): readonly string[] => toTurns(reading).map(({ text }) => text);

/** What is read of a damaged text; a refusal has to be a sentence of ours. */
export function readDamaged(text: string, { file }: FormatSample): Reading | string {
  try {
    return readAll(text, { ...(file !== undefined && { file }) });
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    expect(error.code).toBe('invalid');
    return error.message;
  }
}
