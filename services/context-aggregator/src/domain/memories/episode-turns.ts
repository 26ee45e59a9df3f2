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

/** A line with the date of all that follows it. */
const HEADER = /^\[\d{4}-\d{2}-\d{2}\]$/u;
/** The name before what somebody says. */
const SPEAKER = /^([^:：\n]{1,40})[:：]\s/u;
/** Stands for turns that are left out between others. */
const GAP = '…';

/** Takes an episode apart: a line without a name goes on with the turn before. */
export function toEpisodeTurns(content: string): EpisodeTurns {
  const lines = content.split('\n');
  const header = HEADER.test(lines[0] ?? '') ? lines[0] : undefined;
  const turns: EpisodeTurn[] = [];
  for (const line of header === undefined ? lines : lines.slice(1)) {
    const last = turns.at(-1);
    const speaker = SPEAKER.exec(line)?.[1];
    if (speaker === undefined && last !== undefined) turns.splice(-1, 1, { ...last, text: `${last.text}\n${line}` });
    else turns.push({ speaker, text: line });
  }
  return { header, turns };
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
