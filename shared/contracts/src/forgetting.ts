import { z } from 'zod';
import type { DeepReadonly } from './values/deep-readonly.ts';
import { userIdSchema } from './values/identifiers.ts';

/** The tool by which a server forgets a user; the aggregator calls it at every server that has one. */
export const FORGET_USER = 'forget_user';

/** Whom to forget. A dry run, which counts and erases nothing, unless the call says otherwise. */
export const forgetUserSchema = z.object({
  user_id: userIdSchema.describe('The user to forget.'),
  dry_run: z.boolean().default(true).describe('Only count what would be erased; false erases it, for good.'),
});

/** How much of one kind was erased, or would be. */
export const erasedSchema = z.object({
  what: z.string().describe('What was counted, such as events.'),
  count: z.int().min(0),
});
/** One of {@link erasedSchema}. */
export type ErasedCount = DeepReadonly<z.output<typeof erasedSchema>>;

/** What a server could not erase. */
export const unreachedSchema = z.object({ what: z.string(), why: z.string() });
/** One of {@link unreachedSchema}. */
export type Unreached = DeepReadonly<z.output<typeof unreachedSchema>>;

/** What one server erased of a user. */
export const forgetUserAnswerSchema = z.object({
  user_sha256: z.string().describe('The SHA-256 of the user id, in hex: a receipt does not name the user.'),
  dry_run: z.boolean(),
  erased: z.array(erasedSchema).describe('What was erased, or would be by a call that is no dry run.'),
  total: z.int().min(0).describe('The sum of the counts; 0 when nothing is left.'),
  unreached: z.array(unreachedSchema).describe('What could not be erased, and why.'),
});
/** One of {@link forgetUserAnswerSchema}. */
export type ForgetUserAnswer = DeepReadonly<z.output<typeof forgetUserAnswerSchema>>;

/** What a store erased of a user, or would erase. */
export interface Forgotten {
  readonly erased: readonly ErasedCount[];
  readonly unreached: readonly Unreached[];
}

/** What all servers of a composition erased of a user: a receipt. */
export const forgetEverywhereAnswerSchema = forgetUserAnswerSchema
  .pick({ user_sha256: true, dry_run: true, total: true })
  .extend({
    at: z.string().describe('When it was done, ISO 8601 UTC.'),
    servers: z.array(
      z.object({
        server: z.string(),
        erased: z.array(erasedSchema).describe('What this server erased, or would erase.'),
        total: z.int().min(0),
      }),
    ),
    unreached: z
      .array(unreachedSchema.extend({ server: z.string() }))
      .describe('What could not be erased, and why; a server that did not answer is here too.'),
  });
/** One of {@link forgetEverywhereAnswerSchema}. */
export type ForgetEverywhereAnswer = DeepReadonly<z.output<typeof forgetEverywhereAnswerSchema>>;
