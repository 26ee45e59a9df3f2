import type { ExtractorInfo, MemoryType } from '@contextloom/contracts';
import type { Moment } from '@contextloom/retrieval/time';
import type { EpisodeWindow } from './windows/episodes.ts';

/** Whose memory a conversation becomes. */
export interface MemoryOwner {
  readonly id?: string | undefined;
  /** What facts call them where they speak as `user` alone, as far as the call says. */
  readonly name?: string | undefined;
}

/** What surrounds the window that is read. */
export interface ExtractionContext {
  /** The window before it in the same session. */
  readonly previous: EpisodeWindow | undefined;
  /** Everybody who speaks in the conversation. */
  readonly speakers: readonly string[];
  readonly user?: MemoryOwner;
  /** Windows that follow each other and are read in one call, this one among them; absent when it is read by itself. */
  readonly group?: WindowGroup;
  /** How many of the window's first turns were read before: no facts are drawn from them again. */
  readonly known?: number;
}

/** Windows of one session that follow each other, in order. */
export interface WindowGroup {
  readonly windows: readonly EpisodeWindow[];
  readonly first: ExtractionContext;
}

/** How an episode is rated. */
export interface EpisodeRating {
  /** 1 to 10. */
  readonly importance: number;
  /** −1 to 1; absent when no feeling is expressed. */
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
  /** −1 to 1; absent when no feeling is expressed. */
  readonly valence?: number;
  readonly tags: readonly string[];
  /** When it happened, if not when it was said. */
  readonly occurredAt?: Moment;
  /** The month or the year that was said, `2025-03` or `2025`, where no day was; `occurredAt` is its first day. */
  readonly occurredOn?: string;
  /** Until when it was or will be so, as far as that was said; never before `occurredAt`. */
  readonly endedAt?: Moment;
  /** The month or the year of the end where no day was said; `endedAt` is its first day. */
  readonly endedOn?: string;
  /** Labels of the window's turns that say it. */
  readonly evidence: readonly string[];
}

/** A fact that an extractor drew and did not stand by, and why. */
export interface RejectedFact {
  readonly content: string;
  /** 1 to 10; absent when it was not stated. */
  readonly importance?: number;
  readonly reason: string;
}

/** Use of a model: calls, and the tokens that it was billed for. */
export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What an extractor makes of a window. */
export interface Extraction {
  readonly episode: EpisodeRating;
  readonly facts: readonly Fact[];
  readonly rejected?: readonly RejectedFact[];
  readonly usage?: Usage;
  /**
   * Why there are no facts, or not all: `answer` when what the model answered was of no use, which asking again would
   * not mend; `model` when it could not be reached, or there was no budget for it, so that the window is still to be read: `until`
   * says when there is a budget again.
   */
  readonly failure?: { readonly of: 'answer' | 'model'; readonly reason: string; readonly until?: Date };
}

/** Reads windows of a conversation, rates them and draws facts from them: written rules, or a model. */
export interface Extractor {
  /** Named in every answer, so that nobody takes rules for a model. */
  readonly info: ExtractorInfo;
  /** Whether it heeds `known` of the context; else a window that has grown is read again as a whole. */
  readonly readsOn?: boolean;
  /** The most tokens of windows that it reads in one call; each window by itself when absent or 0. */
  readonly maxGroupTokens?: number;
  /** How many windows it reads at once; 1 when absent. */
  readonly concurrency?: number;
  /** Never rejects for what a model answered, or when it cannot be reached: then the episode comes without facts. */
  readonly extract: (window: EpisodeWindow, context: ExtractionContext, signal: AbortSignal) => Promise<Extraction>;
  /** What reading a window would ask of a model; absent for an extractor without one. */
  readonly estimate?: (window: EpisodeWindow, context: ExtractionContext) => Usage;
  /** What usage costs, in US dollars, and where the price is from; `usd` is absent when no price is known. */
  readonly price?: (usage: Usage) => { readonly usd?: number; readonly basis: string };
}
