import { followChangeContract, readOnly } from '@contextloom/contracts';
import type { z } from 'zod';

const consequence = { id: true, what: true, text: true, sources_left: true } as const;
/** What followed from a change, as the stores list it. */
export const followedSchema = readOnly(followChangeContract.output, { consequences: consequence });
/** What became of one memory that was drawn from another. */
export type Followed = z.output<typeof followedSchema>['consequences'][number];

const changedSchema = followedSchema.partial();

/** What followed from a change in its own store, where its answer tells of it. */
export function readFollowed(answer: unknown): readonly Followed[] {
  return changedSchema.safeParse(answer).data?.consequences ?? [];
}

const count = (number: number): string => (number === 1 ? '1 memory' : `${number} memories`);

/** How what became of memories is reported, done and to be done. */
const words = {
  removed: ['that rested on it alone went with it', 'that rest on it alone would go with it'],
  marked: [
    'drawn from what it said before left out of prompts',
    'drawn from what it said before to be left out of prompts',
  ],
  restored: ['drawn from what it says back in prompts', 'drawn from what it says to be back in prompts'],
  rewritten: ['drawn from it written again', 'drawn from it to be written again'],
  kept: ['with other sources kept', 'with other sources to be kept'],
} as const;

/** What followed from a change, in words; empty where nothing did. */
export function toFollowedText(followed: readonly Followed[], isDryRun: boolean): string {
  const parts = Object.entries(words).flatMap(([what, [done, planned]]) => {
    const number = followed.filter((one) => one.what === what).length;
    return number === 0 ? [] : [`${count(number)} ${isDryRun ? planned : done}`];
  });
  return parts.join('; ');
}

/** What followed from a change, in answers; absent where nothing did. */
export function toFollowedField(followed: readonly Followed[]) {
  const lines = followed.map(({ id, what, text }) => `${what} ${id}${text === undefined ? '' : `: ${text}`}`);
  return lines.length === 0 ? {} : { consequences: lines };
}
