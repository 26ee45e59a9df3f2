import {
  type KnowledgeBaseContract,
  knowledgeBase,
  RETRACTION_TAG,
  readOnly,
  TYPED_TAGS,
} from '@contextloom/contracts';
import { parseAnswer, parseSearchAnswer } from '../../domain/memories/memories.ts';
import { isEpisode } from '../../domain/memories/prompt-memories.ts';
import { KNOWLEDGE_BASE } from '../memories/memory-source.ts';
import { bySchema, toQuestion } from './ask-store.ts';
import { SENTENCE_KEY } from './fact-sentence.ts';
import { followedSchema } from './followed.ts';
import { type MemoryStore, mapAnswer, type StoreContext, toChange, toEnds, toGot } from './memory-store.ts';

/** Documents of typed memory lie in the knowledge base as well, which that store shows; and marks of what was deleted, which are no memories. */
const OTHER_TAGS: readonly string[] = [...TYPED_TAGS, RETRACTION_TAG];
const isOther = (tags: readonly string[]): boolean => tags.some((tag) => OTHER_TAGS.includes(tag));
const noOthers = { tags_none: [...OTHER_TAGS] };
const MAX_TOP_K = 100;

const { get_document, list_documents } = knowledgeBase;
const document = { id: true, content: true, tags: true, metadata: true, created_at: true } as const;
const listSchema = readOnly(list_documents.output, { documents: document, total: true, next_cursor: true });
const changedSchema = followedSchema.partial();
const oneSchema = readOnly(get_document.output, { document });
const question = toQuestion<KnowledgeBaseContract>(KNOWLEDGE_BASE);

function toTime(metadata: Readonly<Record<string, unknown>>, written?: string): string | undefined {
  const given = [metadata['occurred_at'], metadata['created_at'], written];
  return given.find((text): text is string => typeof text === 'string' && !Number.isNaN(Date.parse(text)));
}

/** The knowledge base's documents of a user: notes, and what was read in conversations. */
export function openNotes({ ask, userId }: StoreContext): MemoryStore {
  const metadata_filter = { user_id: userId };
  return {
    kind: 'note',
    service: KNOWLEDGE_BASE,
    recall: async ({ query, limit, filter: { tag, range } = {} }) =>
      mapAnswer(
        ask({
          ...question('search_documents', {
            query,
            metadata_filter,
            // A search knows no times: those that are not of the range are left out of the most it answers.
            top_k: range === undefined ? Math.min(MAX_TOP_K, limit) : MAX_TOP_K,
            ...noOthers,
            tags: tag === undefined ? undefined : [tag],
          }),
          read: (answer) => {
            const reading = parseSearchAnswer(answer, userId);
            return reading.kind === 'read' ? reading.memories : undefined;
          },
        }),
        (found) =>
          found
            .filter(({ id }) => id !== '')
            .map(({ id, content, tags, metadata, score = 0, relevance = score }) => ({
              own: id,
              text: content,
              time: toTime(metadata),
              score: relevance,
              isConversation: isEpisode({ tags, metadata }),
            })),
      ),
    list: async ({ limit, cursor, filter: { order, tag, range } = {} }) =>
      mapAnswer(
        ask({
          ...question('list_documents', {
            metadata_filter,
            limit,
            sort: order ?? 'updated',
            ...toEnds(range),
            tags: tag === undefined ? undefined : [tag],
            ...noOthers,
            // The sentence that a fact was made of: a list shows the fact.
            without_keys: [SENTENCE_KEY],
            cursor,
          }),
          read: bySchema(listSchema),
        }),
        ({ documents, total, next_cursor: next }) => ({
          memories: documents
            .filter(({ metadata }) => metadata['user_id'] === userId)
            .map(({ id, content, tags, metadata, created_at }) => ({
              own: id,
              text: content,
              time: toTime(metadata, created_at),
              isConversation: isEpisode({ tags, metadata }),
            })),
          next,
          total,
        }),
      ),
    get: (doc_id) =>
      toGot(
        ask({ ...question('get_document', { doc_id, user_id: userId }), read: bySchema(oneSchema) }),
        ({ document: { id: own, content: text, ...details } }) => {
          if (details.metadata['user_id'] !== userId || isOther(details.tags)) return undefined;
          return { own, text, time: toTime(details.metadata, details.created_at), details };
        },
      ),
    update: (own, text) =>
      toChange(
        ask({
          ...question('update_document', { doc_id: own, user_id: userId, content: text }),
          isChange: true,
          read: (answer) => parseAnswer(changedSchema, answer) ?? {},
        }),
      ),
    remove: (own) =>
      toChange(
        ask({ ...question('delete_document', { doc_id: own, user_id: userId }), isChange: true, read: () => true }),
      ),
  };
}
