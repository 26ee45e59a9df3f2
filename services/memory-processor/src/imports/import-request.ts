import { userIdSchema } from '@contextloom/contracts';
import type { FoundConversation, ReadSourceOptions, Source } from '@contextloom/transcripts';
import type { RecordRequest } from '../domain/ingest/recording.ts';
import type { LeftOutPage } from './preview.ts';

/** What is imported, for whom, and how it is read. */
export interface ImportRequest<User extends string | undefined = string | undefined> {
  readonly sources: readonly Source[];
  /** The user of every conversation; undefined where each conversation's own id names its user. */
  readonly userId: User;
  readonly read: ReadSourceOptions;
  /** Saves facts of little importance too. */
  readonly forceSave: boolean;
  /** Reads those windows again from which no facts could be drawn. */
  readonly retryFailed?: boolean | undefined;
  /** Reads all windows again. */
  readonly reread?: boolean | undefined;
  /** When a reading again began that was ended early, ISO 8601 UTC. */
  readonly rereadSince?: string | undefined;
  /** Names the conversation, when there is only one. */
  readonly transcriptId?: string | undefined;
  /** Which of the left-out lines the plan lists; the first hundred without. */
  readonly leftOut?: LeftOutPage | undefined;
}

/** Whose memories a conversation becomes, or why they can be nobody's. */
export function findOwner(
  { userId }: Pick<ImportRequest, 'userId'>,
  { id, of }: FoundConversation,
): { readonly userId: string } | { readonly reason: string } {
  if (userId !== undefined) return { userId };
  const own = of ?? id;
  if (own === undefined) return { reason: 'a conversation has no id to take the user from: name the user with --user' };
  const parsed = userIdSchema.safeParse(own);
  if (parsed.success) return { userId: parsed.data };
  return { reason: `the id of a conversation, "${own.slice(0, 80)}", is no user id: name the user with --user` };
}

/** What is recorded of a conversation; a part of a long one is named after the whole. */
export function toRecordRequest(
  conversation: FoundConversation,
  userId: string,
  { forceSave, retryFailed, reread, rereadSince, transcriptId, read }: ImportRequest,
): RecordRequest {
  // A number of a telephone is no name.
  const userName = read.me?.find((name) => /\p{L}/u.test(name));
  const { part } = conversation;
  const named = transcriptId === undefined || part === undefined ? transcriptId : `${transcriptId} (${part})`;
  return { userId, userName, conversation, forceSave, retryFailed, reread, rereadSince, transcriptId: named };
}
