import { z } from 'zod';
import type { DeepReadonly } from './values/deep-readonly.ts';
import { userIdSchema } from './values/identifiers.ts';
import type { JsonObject } from './values/json.ts';

/** The tool by which a store follows a change of memories, here or elsewhere, to what was drawn from them. */
export const FOLLOW_CHANGE = 'follow_change';

/** The metadata key of the addresses of what a document was drawn from: a list, such as `["note:said-1", "fact:city"]`. */
export const DERIVED_FROM_KEY = 'derived_from';
/** The metadata key of the episode that a fact was drawn from: the id of its document. */
export const EPISODE_KEY = 'episode';
/** The metadata key of which turns of that episode say it, by their places from 1, with commas between. */
export const EPISODE_TURNS_KEY = 'episode_turns';
/** The metadata key that tells since when what a document rests on is worded otherwise; prompts leave the document out. */
export const SOURCE_CHANGED_KEY = 'source_changed';
/** The metadata key of a fingerprint of what it was drawn from: with the same words there again, the document counts again. */
export const SOURCE_WORDS_KEY = 'source_words';
/** The metadata key of the tags that a document had before: a list. */
export const SOURCE_TAGS_KEY = 'source_tags';

/** What the tags of typed memory begin with, whose memories are documents of the knowledge base. */
export const TYPED_TAG = 'typed-memory';
/** The tags of all documents of typed memory: of a memory, of the passages of a long one, and of what was deleted of both. */
export const TYPED_TAGS = [
  TYPED_TAG,
  `${TYPED_TAG}-passage`,
  `${TYPED_TAG}-deleted`,
  `${TYPED_TAG}-deleted-passage`,
] as const;

/** The tag of decisions about facts in the knowledge base; they are no memories. */
export const DECISION_TAG = 'decision';

/** Where a memory is, in any store: its kind and its id there, as the aggregator writes them. */
const addressSchema = z.string().min(3).max(1_024);

/** What something was drawn from. */
export const derivedFromSchema = z
  .array(addressSchema)
  .min(1)
  .max(64)
  .describe('The memories that it was drawn from, by their ids, such as note:said-1 or fact:city.');

/** The addresses under which a document of the knowledge base is known: typed memory keeps its memories there too. */
export function toDocumentAddresses(id: string): readonly string[] {
  return [`note:${id}`, `typed:${id}`];
}

/** What a document was drawn from, as its metadata tell: addresses, each once. */
export function readSources({ [DERIVED_FROM_KEY]: listed, [EPISODE_KEY]: episode }: JsonObject): readonly string[] {
  const given = Array.isArray(listed) ? listed.filter((one): one is string => typeof one === 'string') : [];
  return [...new Set([...(typeof episode === 'string' && episode !== '' ? [`note:${episode}`] : []), ...given])];
}

/** What became of something that was drawn from a memory that changed. */
export const consequenceSchema = z.object({
  id: z.string().describe('The memory that was drawn from it.'),
  what: z
    .enum(['removed', 'marked', 'kept', 'restored', 'rewritten'])
    .describe(
      'removed: it rested on that alone; marked: prompts leave it out until what it rests on says the same again; kept: it rests on other memories too, or on a word of the user; restored: it counts again; rewritten: it was made again.',
    ),
  text: z.string().optional().describe('What it says; not of what is removed for good.'),
  sources_left: z.int().optional().describe('Of one that is kept: how many memories it rests on now.'),
});
/** One of {@link consequenceSchema}. */
export type Consequence = DeepReadonly<z.output<typeof consequenceSchema>>;

/** What followed from a change, in answers; absent where nothing did. */
export const consequencesField = { consequences: z.array(consequenceSchema).optional() };

/** What {@link FOLLOW_CHANGE} takes and answers, in every store that has it. */
export const followChangeContract = {
  input: z.object({
    user_id: userIdSchema,
    sources: z
      .array(addressSchema)
      .min(1)
      .max(1_000)
      .describe('The memories that changed, by their ids, such as note:said-1.'),
    change: z.enum(['forgotten', 'corrected']).describe('Whether they are gone, or say something else.'),
    now: z.string().max(1_000_000).optional().describe('Of one memory that was corrected: what it says now.'),
    dry_run: z.boolean().optional().meta({ default: true }).describe('Only list what would follow; false does it.'),
  }),
  output: z.object({ consequences: z.array(consequenceSchema) }),
};

/** How something that others were drawn from changed. */
export type SourceChange = z.output<typeof followChangeContract.input>['change'];

/** A change of memories of one user that is followed. */
export interface FollowRequest {
  readonly userId: string;
  readonly sources: readonly string[];
  readonly change: SourceChange;
  /** What a memory that was corrected says now. */
  readonly now?: string | undefined;
  readonly isDryRun: boolean;
}

/** Most characters of a text in a list of consequences. */
const MAX_TEXT = 200;

/** A text as a list of consequences shows it. */
export function toConsequenceText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
