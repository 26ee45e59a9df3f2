import type { ExplainPromptResponse } from '@contextloom/contracts';
import { toPlainLine } from './plain.ts';

/** Characters of a line that are shown: enough to know it by. */
const LONGEST = 100;

function toFields(fields: readonly (string | number | undefined)[]): string {
  return fields.filter((field) => field !== undefined && field !== '').join(', ');
}

/** Where each line of a prompt comes from, what was left out and why, and what each source brought: text for a terminal. */
export function renderExplanation({ manifest, lines, left_out }: ExplainPromptResponse): string {
  const told = lines.map(({ text, source, id, time, score, relevance }) => {
    const [scored, relevant] = [score, relevance].map((value) => value?.toFixed(2));
    const about = toFields([
      source,
      time?.slice(0, 10),
      scored && `score ${scored}`,
      relevant && `relevance ${relevant}`,
      id,
    ]);
    return `${[...toPlainLine(text)].slice(0, LONGEST).join('')}\n  ${toPlainLine(about)}`;
  });
  const out = left_out.map(({ source, id, time, reason }) =>
    toPlainLine(`left out: ${toFields([reason.replaceAll('_', ' '), source, time?.slice(0, 10), id])}`),
  );
  const sources = manifest.sources.map(({ source, server, status, reason, lines: count, tokens }) =>
    toPlainLine(
      `${source} (${server}): ${toFields([status, reason, `${count} ${count === 1 ? 'line' : 'lines'}`, `${tokens} tokens`])}`,
    ),
  );
  const total = `${manifest.status}, ${manifest.tokens} tokens before the persona, ${manifest.tokens_cut} cut`;
  return `${[...told, ...out, ...sources, total].join('\n')}\n`;
}
