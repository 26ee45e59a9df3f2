import type { Placement } from '@contextloom/contracts';
import { inOrderOfRoom, type SourceOffer, toOmission } from './lines.ts';

/** Tells a document once: where two sources offer the same one of a server, the source of higher priority does. */
export function withoutRepeats(offers: readonly SourceOffer[], placement: Placement): readonly SourceOffer[] {
  const told = new Set<string>();
  const kept = new Map<SourceOffer, SourceOffer>();
  for (const offer of inOrderOfRoom(offers, placement)) {
    const own = offer.lines.map(({ server, id }) => (id === undefined ? undefined : JSON.stringify([server, id])));
    const isNew = offer.lines.map((_, at) => !told.has(own[at] ?? ''));
    for (const key of own) if (key !== undefined) told.add(key);
    const repeats = offer.lines.filter((_, at) => isNew[at] !== true);
    kept.set(offer, {
      ...offer,
      lines: offer.lines.filter((_, at) => isNew[at] === true),
      leftOut: [...offer.leftOut, ...repeats.map((line) => toOmission(line, 'not_chosen'))],
    });
  }
  return offers.map((offer) => kept.get(offer) ?? offer);
}
