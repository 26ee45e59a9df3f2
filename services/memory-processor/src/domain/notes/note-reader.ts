import type { ExtractorInfo, NoteType } from '@contextloom/contracts';
import type { Moment } from '@contextloom/retrieval/time';
import type { Turn } from '@contextloom/transcripts/transcript';
import type { Usage } from '../extractor.ts';
import type { FailedPiece } from '../ingest/extract-window.ts';

/** What a conversation about a project says that later sessions should know. */
export interface Note {
  readonly type: NoteType;
  readonly content: string;
  /** When it was said. */
  readonly at?: Moment | undefined;
}

/** What was found in the turns of a conversation. */
export interface Notes {
  readonly notes: readonly Note[];
  readonly usage?: Usage;
  /** Pieces that written rules read, since the model gave no answer that can be used. */
  readonly failed?: readonly FailedPiece[];
}

/** Reads conversations about a project: written rules, or a model. */
export interface NoteReader {
  readonly info: ExtractorInfo;
  /** Rejects for an aborted signal only. */
  readonly read: (turns: readonly Turn[], signal: AbortSignal) => Promise<Notes>;
}
