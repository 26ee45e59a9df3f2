import { z } from 'zod';

/** What a second reader says of a claim. */
export type SupportVerdict = 'supported' | 'contradicted' | 'not_said';

/** What a model is asked to answer: the number of each claim with its verdict, `1 supported`. */
export const askedVerdictsSchema = z.object({ verdicts: z.array(z.string()) });

/** What is taken for an answer: a list of any form, or verdicts by number. */
export const verdictsSchema = z.union([
  z.object({ verdicts: z.union([z.array(z.unknown()), z.record(z.string(), z.string())]) }),
  z.array(z.unknown()),
]);

function readVerdict(text: string): SupportVerdict | undefined {
  if (/contradict/iu.test(text)) return 'contradicted';
  if (/\bnot\b|\bnot_|\bunsupported/iu.test(text)) return 'not_said';
  return /\bsupported\b/iu.test(text) ? 'supported' : undefined;
}

/** `1 supported`, or `{"claim": 1, "verdict": "supported"}`, as text. */
function toText(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  if (typeof entry !== 'object' || entry === null) return '';
  return Object.values(entry)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(' ');
}

/**
 * Reads the verdicts of an answer by the number of their claim, from 1. Without any number they are those of all claims in
 * order; what names no claim, no verdict, or two of one claim is left out.
 */
export function readVerdicts(
  answer: z.output<typeof verdictsSchema>,
  claims: number,
): ReadonlyMap<number, SupportVerdict> {
  const given = Array.isArray(answer) ? answer : answer.verdicts;
  const texts = Array.isArray(given) ? given.map(toText) : Object.entries(given).map((entry) => entry.join(' '));
  const isInOrder = texts.length === claims && !texts.some((text) => /\d/u.test(text));
  const read = new Map<number, SupportVerdict>();
  const contradictory = new Set<number>();
  for (const [at, text] of texts.entries()) {
    const number = isInOrder ? at + 1 : Number(/\d+/u.exec(text)?.[0] ?? Number.NaN);
    const verdict = readVerdict(text);
    if (verdict === undefined || !(number >= 1 && number <= claims)) continue;
    if ((read.get(number) ?? verdict) !== verdict) contradictory.add(number);
    read.set(number, verdict);
  }
  return new Map([...read].filter(([number]) => !contradictory.has(number)));
}
