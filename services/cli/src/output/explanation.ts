import type { ExplainPromptResponse } from '@contextloom/contracts';
import { toPlainLine } from './text/plain.ts';
import { wrap, wrapAtSpaces } from './text/text-width.ts';

/** Characters of a line that are shown: enough to know it by. */
const LONGEST = 100;
/** What stands before a line that belongs to the one above it. */
const INDENT = '  ';

function toFields(fields: readonly (string | number | undefined)[]): string {
  return fields.filter((field) => field !== undefined && field !== '').join(', ');
}

/** Where each line of a prompt comes from, what was left out and why, and what each source brought: text for a terminal. */
export function renderExplanation({ manifest, lines, left_out }: ExplainPromptResponse, width: number): string {
  const fit = (text: string): string[] => wrapAtSpaces(toPlainLine(text), width, INDENT);
  const listed = lines.flatMap(({ text, source, id, time, score, relevance }) => {
    const [scored, relevant] = [score, relevance].map((value) => value?.toFixed(2));
    const about = toFields([
      source,
      time?.slice(0, 10),
      scored && `score ${scored}`,
      relevant && `relevance ${relevant}`,
      id,
    ]);
    const shown = [...toPlainLine(text)].slice(0, LONGEST).join('');
    const place = wrapAtSpaces(toPlainLine(about), width - INDENT.length);
    return [...wrap(shown, width), ...place.map((line) => `${INDENT}${line}`)];
  });
  const out = left_out.flatMap(({ source, id, time, reason }) =>
    fit(`left out: ${toFields([reason.replaceAll('_', ' '), source, time?.slice(0, 10), id])}`),
  );
  const sources = manifest.sources.flatMap(({ source, server, status, reason, lines: count, tokens }) =>
    fit(
      `${source} (${server}): ${toFields([status, reason, `${count} ${count === 1 ? 'line' : 'lines'}`, `${tokens} tokens`])}`,
    ),
  );
  const total = `${manifest.status}, ${manifest.tokens} tokens before the persona, ${manifest.tokens_cut} cut`;
  return `${[...listed, ...out, ...sources, ...fit(total)].join('\n')}\n`;
}
