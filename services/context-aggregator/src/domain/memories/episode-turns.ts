import { readEpisode } from '@contextloom/contracts';

/** What was said at a time: who said it, where it tells, and the words, the name included. */
export interface EpisodeTurn {
  readonly speaker: string | undefined;
  readonly text: string;
}

/** An episode in its parts. */
export interface EpisodeTurns {
  /** `[YYYY-MM-DD]`, where it begins with one. */
  readonly header: string | undefined;
  readonly turns: readonly EpisodeTurn[];
}

/** Stands for turns that are left out between others. */
const GAP = '…';

/** Takes an episode apart. */
export function toEpisodeTurns(content: string): EpisodeTurns {
  const { date, turns } = readEpisode(content);
  return { header: date === undefined ? undefined : `[${date}]`, turns };
}

/** How many gaps there are between the turns that are shown, by their places in order. */
export function countGaps(told: readonly number[]): number {
  return told.filter((at, index) => index > 0 && at - 1 !== told[index - 1]).length;
}

/** Puts some turns of an episode together again, by their places in order; what is left out between them is marked. */
export function toExcerpt({ header, turns }: EpisodeTurns, told: readonly number[]): string {
  const lines = told.flatMap((at, index) => {
    const isAfterGap = index > 0 && at - 1 !== told[index - 1];
    return [...(isAfterGap ? [GAP] : []), turns[at]?.text ?? ''];
  });
  return [...(header === undefined ? [] : [header]), ...lines].join('\n');
}
