import type { Memory, RetractionKind } from '@contextloom/contracts';
import type { Conversation } from '@contextloom/transcripts/transcript';
import type { Usage } from '../extractor.ts';
import type { FailedPiece, NotSaved } from './extract-window.ts';

/** A conversation to record, and for whom. */
export interface RecordRequest {
  readonly userId: string;
  readonly conversation: Conversation;
  /** What facts call the user, where a conversation tells no name. */
  readonly userName?: string | undefined;
  /** Names the conversation, instead of its own id or what it begins with. */
  readonly transcriptId?: string | undefined;
  /** Saves facts of little importance too. */
  readonly forceSave?: boolean | undefined;
  /** Reads those windows again from which no facts could be drawn. */
  readonly retryFailed?: boolean | undefined;
  /** Reads all windows again, as after another model or prompt was chosen. */
  readonly reread?: boolean | undefined;
  /** When a reading again began that was ended early, ISO 8601 UTC: windows saved since then are not read once more. */
  readonly rereadSince?: string | undefined;
  /** The import that it is part of: what it adds is stored under that name. */
  readonly importId?: string | undefined;
  /** When the turns of a conversation without any date were said, as far as they are new; `none` when absent. */
  readonly undatedTurns?: UndatedTurns | undefined;
}

/** When turns that nothing dates were said: when the call came, nobody knows, or at a time. */
export type UndatedTurns = 'call' | 'none' | Date;

/** How a caller follows a long run, and ends it. */
export interface RunOptions {
  /** When aborted, what is under way is finished and saved, and no more is read. */
  readonly signal?: AbortSignal | undefined;
  /** Gets after each batch how many windows are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What recording a conversation came to. */
export interface RecordOutcome {
  readonly transcript: string;
  readonly windows: number;
  /** Windows that an earlier run had recorded. */
  readonly known: number;
  readonly saved: readonly Memory[];
  readonly notSaved: readonly NotSaved[];
  readonly failed: readonly FailedPiece[];
  /** Windows that are still to be read by a model, since it could not be reached or asked: rules rated their episodes. */
  readonly unread: number;
  /** When there is a budget for them again, if that is all they wait for. */
  readonly waitsUntil?: Date | undefined;
  /** Use of the model; zeros without one. */
  readonly usage: Usage;
  /** What of the conversation a person has corrected or deleted. */
  readonly retracted: RetractedCounts;
  /** Whether people who are named in it went to personal memory. */
  readonly hasPeople: boolean;
  /** Whether every window was read; false when the run was ended. */
  readonly isComplete: boolean;
}

/** How many memories of a conversation stay as a person corrected them, and how many are left out as deleted. */
export type RetractedCounts = Readonly<Record<RetractionKind, number>>;
