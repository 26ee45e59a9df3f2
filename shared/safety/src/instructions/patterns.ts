/** How texts give an order to the assistant. */
export interface Instruction {
  /** What stands before it, as the source of a pattern; "" for one that may stand anywhere. */
  readonly begins: string;
  /** The order, as the source of a pattern; line breaks and the blanks after them do not count. */
  readonly source: string;
}

/**
 * Patterns that find instructions, one for all with the same beginning: the beginning is most of the work, and is then
 * looked for once.
 */
export function toPatterns(instructions: readonly Instruction[]): readonly RegExp[] {
  const beginnings = new Set(instructions.map(({ begins }) => begins));
  return [...beginnings].map((begins) => {
    const sources = instructions.filter((one) => one.begins === begins).map(({ source }) => `(?:${source})`);
    return new RegExp(`${begins}(?:${sources.join('|')})`.replace(/\n\s*/gu, ''), 'u');
  });
}
