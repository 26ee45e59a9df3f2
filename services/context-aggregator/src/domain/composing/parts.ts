import { createHash } from 'node:crypto';
import type { PromptPart } from '@contextloom/contracts';
import { isCore } from '../context-sources/context-source.ts';
import type { OfferedLine, SourceOffer } from './lines.ts';
import { toOmission } from './lines.ts';

const toDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What names a line to `told`: its document and its words, so that other words of the same document are included. */
function toLineId({ id = '', text }: OfferedLine): string {
  return `${id}#${toDigest(text).slice(0, 16)}`;
}

/** Leaves out the lines that a conversation has already; what seldom changes stays, since it stands where nothing else does. */
export function withoutRepeated(offers: readonly SourceOffer[], told: readonly string[] = []): readonly SourceOffer[] {
  const known = new Set(told);
  if (known.size === 0) return offers;
  const isTold = (line: OfferedLine): boolean => known.has(line.id ?? '') || known.has(toLineId(line));
  return offers.map((offer) => {
    if (isCore(offer.entry)) return offer;
    const repeated = offer.lines.filter(isTold).map((line) => toOmission(line, 'told'));
    return { ...offer, lines: offer.lines.filter((line) => !isTold(line)), leftOut: [...offer.leftOut, ...repeated] };
  });
}

/** The lines of the core in an order that no server changes: oldest first, then by their words. */
export function inStableOrder(lines: readonly OfferedLine[]): readonly OfferedLine[] {
  const toKey = ({ at = 0 }: OfferedLine): number => at;
  return [...lines].sort((a, b) => toKey(a) - toKey(b) || (a.text < b.text ? -1 : Number(a.text > b.text)));
}

/** The parts of a prompt, in the order of how seldom they change. */
export function toParts(
  texts: Readonly<Record<PromptPart['kind'], string>>,
  lines: readonly OfferedLine[],
  countTokens: (text: string) => number,
): readonly PromptPart[] {
  const toPart = (kind: PromptPart['kind']): PromptPart => {
    const text = texts[kind];
    return { kind, text, tokens: text === '' ? 0 : countTokens(text), digest: toDigest(text) };
  };
  return [toPart('persona'), toPart('core'), { ...toPart('recall'), ids: lines.map(toLineId) }];
}
