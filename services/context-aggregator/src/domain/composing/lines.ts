import type { Placement, PromptLine, PromptOmission } from '@contextloom/contracts';
import { isCore, type SectionEntry } from '../context-sources/context-source.ts';
import type { Ordered } from '../memories/order.ts';

/** A line that a source offers, with what its place among others follows from. */
export interface OfferedLine extends PromptLine, Ordered {}

/** How a source answered. */
export type SourceStatus =
  | { readonly status: 'ok' }
  | { readonly status: 'cached'; readonly age_ms: number }
  | { readonly status: 'timeout' | 'error' | 'skipped'; readonly reason: string };

/** What a source offers to a prompt. */
export interface SourceOffer {
  readonly entry: SectionEntry;
  readonly server: string;
  readonly outcome: SourceStatus;
  /** Best first. */
  readonly lines: readonly OfferedLine[];
  readonly leftOut: readonly PromptOmission[];
}

/**
 * Offers in the order in which they are given room: sources of higher priority first; where the core stands apart, it comes before all of
 * what a question brings, so that no question changes it.
 */
export function byPriority(offers: readonly SourceOffer[], placement: Placement): readonly SourceOffer[] {
  const toRank = ({ entry }: SourceOffer): number => (placement === 'before_persona' || isCore(entry) ? 0 : 1);
  return [...offers].sort((a, b) => toRank(a) - toRank(b) || b.entry.priority - a.entry.priority);
}

/** A line as a prompt is explained by it. */
export function toPromptLine({ at: _at, place: _place, ...line }: OfferedLine): PromptLine {
  return line;
}

/** What the manifest says about a line that is not in the prompt. */
export function toOmission(line: OfferedLine, reason: PromptOmission['reason']): PromptOmission {
  const { text: _text, part: _part, replaced: _replaced, ...rest } = toPromptLine(line);
  return { ...rest, reason };
}
