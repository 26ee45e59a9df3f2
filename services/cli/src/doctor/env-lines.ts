/**
 * Finds the lines of a `.env` file that set nothing, such as one without "=". A value in quotes may have several lines.
 * @returns their numbers, from 1
 */
export function findBrokenLines(text: string): readonly number[] {
  const broken: number[] = [];
  let open: string | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (open !== undefined) {
      if (line.includes(open)) open = undefined;
      continue;
    }
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [, value] = /^(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(\S?.*)$/.exec(trimmed) ?? [];
    if (value === undefined) broken.push(at + 1);
    else open = toOpenQuote(value);
  }
  return broken;
}

/** The quote that a value opens and does not close. */
function toOpenQuote(value: string): string | undefined {
  const [quote = ''] = value;
  return ['"', "'", '`'].includes(quote) && !value.slice(1).includes(quote) ? quote : undefined;
}
