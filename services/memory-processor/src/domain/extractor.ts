import type { ExtractorInfo, MemoryType } from '@contextloom/contracts';
import type { EpisodeWindow } from './episodes.ts';
import type { Moment } from './moments.ts';

/** What surrounds the window that is read. */
export interface ExtractionContext {
  /** The window before it in the same session. */
  readonly previous: EpisodeWindow | undefined;
  /** Everybody who speaks in the conversation. */
  readonly speakers: readonly string[];
}

/** How an episode is rated. */
export interface EpisodeRating {
  /** 1 to 10. */
  readonly importance: number;
  /** −1 to 1; absent when no feeling is told. */
  readonly valence?: number;
  readonly tags: readonly string[];
  /** What weighs most in the window, in one line. */
  readonly headline?: string;
}

/** One statement drawn from a window, understandable by itself. */
export interface Fact {
  readonly content: string;
  /** 1 to 10. */
  readonly importance: number;
  readonly memoryType: Exclude<MemoryType, 'episode'>;
  /** −1 to 1; absent when no feeling is told. */
  readonly valence?: number;
  readonly tags: readonly string[];
  /** When it happened, if not when it was said. */
  readonly occurredAt?: Moment;
  /** Labels of the window's turns that say it. */
  readonly evidence: readonly string[];
}

/** What an extractor makes of a window. */
export interface Extraction {
  readonly episode: EpisodeRating;
  readonly facts: readonly Fact[];
}

/** Reads windows of a conversation, rates them and draws facts from them: written rules, or a model. */
export interface Extractor {
  /** Named in every answer, so that nobody takes rules for a model. */
  readonly info: ExtractorInfo;
  readonly extract: (window: EpisodeWindow, context: ExtractionContext, signal: AbortSignal) => Promise<Extraction>;
}
