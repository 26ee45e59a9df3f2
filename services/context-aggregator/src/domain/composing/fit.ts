import type { Placement } from '@contextloom/contracts';
import type { SectionEntry } from '../context-sources/context-source.ts';
import type { Frame } from './frame.ts';
import { byPriority, type OfferedLine, type SourceOffer } from './lines.ts';
import { toListItem } from './prompt.ts';

/** How texts are measured. */
export interface TextMeter {
  readonly countTokens: (text: string) => number;
  /** The beginning of a text that has at most so many tokens. */
  readonly cutToTokens: (text: string, max: number) => string;
}

/** The lines of a source that have room, best first, and those that have none. */
export interface FittedLines {
  readonly included: readonly OfferedLine[];
  readonly cut: readonly OfferedLine[];
}

/** A beginning shorter than this says nothing. */
const LEAST_TOKENS = 30;

/** How many tokens a line takes of a prompt, its list mark and line end included. */
export const toTokens = ({ text }: OfferedLine, { countTokens }: TextMeter): number =>
  countTokens(`${toListItem(text)}\n`);

/**
 * How many tokens the lines of a source may have.
 * @param left of those for the whole prompt, without the persona, what other sections leave
 */
export function toLimit(
  entry: SectionEntry,
  { maxTokens, left, frame }: { readonly maxTokens: number; readonly left: number; readonly frame: Frame },
): number {
  return Math.max(0, Math.min(left, Math.floor(maxTokens * entry.share)) - frame.of(entry));
}

/** Takes lines while there is room; of a first line that alone is too long, its beginning. */
function fill(lines: readonly OfferedLine[], limit: number, meter: TextMeter): FittedLines & { readonly used: number } {
  const included: OfferedLine[] = [];
  const cut: OfferedLine[] = [];
  let used = 0;
  for (const line of lines) {
    const tokens = toTokens(line, meter);
    if (used + tokens <= limit) {
      included.push(line);
      used += tokens;
    } else cut.push(line);
  }
  const [first] = cut;
  if (included.length > 0 || first === undefined || limit < LEAST_TOKENS) return { included, cut, used };
  const beginning = { ...first, text: `${meter.cutToTokens(first.text, limit - LEAST_TOKENS / 3)}…` };
  return { included: [beginning], cut, used: Math.min(limit, toTokens(beginning, meter)) };
}

/**
 * Chooses the lines that have room in so many tokens: sources of higher priority first, each within its share of all. What a
 * source leaves over is there for the next ones.
 */
export function fitLines(
  offers: readonly SourceOffer[],
  maxTokens: number | undefined,
  { frame, meter, placement }: { readonly frame: Frame; readonly meter: TextMeter; readonly placement: Placement },
): ReadonlyMap<SourceOffer, FittedLines> {
  if (maxTokens === undefined) return new Map(offers.map((offer) => [offer, { included: offer.lines, cut: [] }]));
  const fitted = new Map<SourceOffer, FittedLines>();
  let left = maxTokens - frame.ofAll;
  for (const offer of byPriority(offers, placement)) {
    const limit = toLimit(offer.entry, { maxTokens, left, frame });
    const { used, ...lines } = fill(offer.lines, limit, meter);
    if (lines.included.length > 0) left -= used + frame.of(offer.entry);
    fitted.set(offer, lines);
  }
  return fitted;
}
