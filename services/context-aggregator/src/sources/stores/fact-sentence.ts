import { createHash } from 'node:crypto';
import { type KnowledgeBaseContract, MEMORY_TAG, type Trust, toTrustMetadata } from '@contextloom/contracts';
import { KNOWLEDGE_BASE } from '../memories/memory-source.ts';
import { type Answer, toQuestion } from './ask-store.ts';
import { type Change, type StoreContext, toChange } from './memory-store.ts';

const question = toQuestion<KnowledgeBaseContract>(KNOWLEDGE_BASE);

/** The metadata key of the attribute that a sentence gave its value. */
export const SENTENCE_KEY = 'profile_key';

/** An attribute with its value, and the text that said it. */
interface Sentence {
  readonly key: string;
  readonly value: string;
  readonly text: string;
}

/** Of 1 to 10: the fact says the same, and stands in every prompt. */
const IMPORTANCE = 5;

/** The id of the sentence that an attribute of the profile was read from: a later one replaces it. */
const toSentenceId = (userId: string, key: string): string =>
  `said-${createHash('sha256')
    .update(JSON.stringify([userId, key]))
    .digest('hex')
    .slice(0, 32)}`;

/** Whether a text says more than the value that it gives. */
const saysMore = ({ value, text }: Pick<Sentence, 'value' | 'text'>): boolean => text.trim() !== value.trim();

/** The address of the sentence that an attribute is made of, where it is kept. */
export function toSentenceAddress(sentence: Sentence, { ask, userId }: StoreContext): string | undefined {
  return saysMore(sentence) && ask.has(KNOWLEDGE_BASE) ? `note:${toSentenceId(userId, sentence.key)}` : undefined;
}

/** Removes that sentence, if there is one; fails where nobody can tell. */
export async function removeSentence(key: string, { ask, userId: user_id }: StoreContext): Change {
  if (!ask.has(KNOWLEDGE_BASE)) return { kind: 'ok', value: false };
  const removal = question('delete_document', { doc_id: toSentenceId(user_id, key), user_id });
  const removed = await toChange(ask({ ...removal, isChange: true, read: () => true }));
  if (removed.kind === 'ok') return removed;
  return { ...removed, reason: `cannot change it: ${KNOWLEDGE_BASE}, which has its sentence, ${removed.reason}` };
}

/**
 * Keeps the sentence that a fact was made of next to it, where searches find it. A text that is the value itself says no more. Without a
 * knowledge base the fact stands alone.
 */
export async function keepSentence(
  { key, value, text }: Sentence,
  context: StoreContext & {
    readonly now: Date;
    readonly saidBy: Trust;
    /** When it is forgotten, ISO 8601. */
    readonly expiresAt?: string | undefined;
  },
): Promise<Answer<unknown>> {
  const { ask, userId: user_id, now, saidBy, expiresAt } = context;
  if (!saysMore({ value, text }) || !ask.has(KNOWLEDGE_BASE)) return removeSentence(key, context);
  const at = now.toISOString();
  const metadata = {
    user_id,
    importance: IMPORTANCE,
    created_at: at,
    occurred_at: at,
    occurred_at_source: 'call',
    [SENTENCE_KEY]: key,
    ...toTrustMetadata([saidBy]),
  };
  const document = { doc_id: toSentenceId(user_id, key), content: text, tags: [MEMORY_TAG, 'note'], metadata };
  const end = expiresAt === undefined ? {} : { expires_at: expiresAt };
  return ask({ ...question('add_document', { ...document, ...end }), isChange: true, read: () => true });
}
