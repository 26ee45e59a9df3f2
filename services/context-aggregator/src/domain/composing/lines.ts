import type { PromptLine, PromptOmission } from '@contextloom/contracts';
import type { SectionEntry } from '../context-source.ts';

/** A line that a source offers, best first; `at` is its time in milliseconds since 1970. */
export interface OfferedLine extends PromptLine {
  readonly at: number | undefined;
}

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

/** What is told of a line that a prompt does not tell. */
export function toOmission(
  { text: _text, at: _at, ...line }: OfferedLine,
  reason: PromptOmission['reason'],
): PromptOmission {
  return { ...line, reason };
}
