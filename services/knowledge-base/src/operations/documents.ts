import {
  type Consequence,
  ContextloomError,
  knowledgeBase as contract,
  type DocumentInput,
  documentInputSchema,
  identifier,
  type ListRequest,
  MAX_BATCH,
  withoutNulls,
} from '@contextloom/contracts';
import { withoutPrivateIn } from '@contextloom/safety/private';
import { defineOperation, leaveOutPrivate, toEntityTag } from '@contextloom/server-kit';
import { z } from 'zod';
import { OWNER_KEY } from '../domain/documents/scope.ts';
import type { KnowledgeBaseContext } from './deps.ts';
import { addressRoute, changeRoute, toAddress, toOwnAddress } from './fields/address.ts';
import { exampleInput, storedExample } from './fields/examples.ts';
import { documentSubject, documentsSubject, scopeSubject, toScopedCall } from './fields/subject.ts';

type Texts = { readonly [K in 'content' | 'tags' | 'metadata' | 'keys']?: DocumentInput[K] | undefined };

/** Of a document: its content is what was said, the rest are names and data. */
function withoutPrivateTexts<D extends Texts>({ content, tags, metadata, keys, ...rest }: D): D {
  const said = content === undefined ? {} : leaveOutPrivate({ content });
  const given = Object.entries(withoutPrivateIn({ tags, metadata, keys })).filter(([, value]) => value !== undefined);
  return { ...rest, ...Object.fromEntries(given), ...Object(said) };
}

/**
 * Takes what is marked as private out of documents of users. A document of nobody is kept as it came: it may be code or markup with
 * an element of that name, which no person said.
 */
function leaveOutOfDocument<D extends Pick<DocumentInput, 'metadata'> & Texts>(document: D): D {
  const owner = Object.hasOwn(document.metadata, OWNER_KEY) ? document.metadata[OWNER_KEY] : undefined;
  return typeof owner === 'string' ? withoutPrivateTexts(document) : document;
}

/** The same of a change; one that gives a document to a user counts as the user's. */
function leaveOutOfChange<C extends Texts & { readonly user_id?: string | undefined }>(change: C): C {
  const isOwned = change.user_id !== undefined || typeof change.metadata?.[OWNER_KEY] === 'string';
  return isOwned ? withoutPrivateTexts(change) : change;
}

const eitherIdSchema = documentInputSchema
  .extend({ id: identifier('The same as doc_id, as older clients name it.').optional() })
  .refine(({ id, doc_id }) => id === undefined || doc_id === undefined || id === doc_id, {
    path: ['id'],
    message: 'must equal doc_id when both are given',
  })
  .transform(({ id, ...document }) => (id === undefined ? document : { ...document, doc_id: id }));

/** A document as HTTP clients send it: its id is called `doc_id` or `id`, and null counts as absent. */
const documentBodySchema = z.preprocess(withoutNulls, eitherIdSchema);

/** Counted before they are parsed one by one. */
const documentsSchema = z
  .preprocess((documents, context) => {
    if (!Array.isArray(documents) || documents.length <= MAX_BATCH) return documents;
    context.addIssue({ code: 'custom', message: `must be at most ${MAX_BATCH} documents` });
    return z.NEVER;
  }, z.array(documentBodySchema))
  .describe(`The documents, at most ${MAX_BATCH}. The body may also be this array alone.`);

/** Several documents: `{documents: […]}`, or the bare array. */
const batchBodySchema = z.preprocess(
  (body) => (Array.isArray(body) ? { documents: body } : body),
  z.object({ documents: documentsSchema }),
);

/** Stores one document. */
export const addDocument = defineOperation({
  name: 'add_document',
  title: 'Add a document',
  description:
    'Stores a text so that search_documents finds it by meaning and by word. The same doc_id again replaces the whole document. Put user_id into metadata to make it visible to that user alone. Returns document_id.',
  effect: 'replaces',
  hints: { isIdempotent: false },
  scope: 'user',
  subject: documentSubject,
  ...contract.add_document,
  example: { input: exampleInput, output: { success: true, document_id: 'tea', message: 'Document stored.' } },
  route: {
    method: 'post',
    path: '/add',
    summary: 'Stores one document. The same id again replaces the whole document.',
    body: documentBodySchema,
    errors: ['conflict', 'no_space', 'unavailable'],
  },
  leaveOut: leaveOutOfDocument,
  run: async (document, { deps: { knowledgeBase } }: KnowledgeBaseContext) => {
    const [id] = await knowledgeBase.add([document]);
    if (id === undefined) throw new ContextloomError('internal', 'the document was stored without an id');
    return { success: true as const, document_id: id, message: 'Document stored.' };
  },
});

/** Stores several documents, all or none. */
export const addDocuments = defineOperation({
  name: 'add_documents',
  title: 'Add several documents',
  description:
    'Stores several texts at once, all of them or, on an error, none. Each is as in add_document. Returns document_ids in the order given.',
  effect: 'replaces',
  hints: { isIdempotent: false },
  scope: 'user',
  subject: documentsSubject,
  ...contract.add_documents,
  example: {
    input: {
      documents: [exampleInput, { doc_id: 'cat', content: "Ann's cat is called Momo.", metadata: { user_id: 'ann' } }],
    },
    output: { success: true, document_ids: ['tea', 'cat'], message: '2 documents stored.' },
  },
  route: {
    method: 'post',
    path: '/batch_add',
    summary: 'Stores several documents: all of them or, on an error, none.',
    body: batchBodySchema,
    errors: ['conflict', 'no_space', 'unavailable'],
  },
  leaveOut: ({ documents }) => ({ documents: documents.map(leaveOutOfDocument) }),
  run: async ({ documents }, { deps: { knowledgeBase } }: KnowledgeBaseContext) => {
    const ids = await knowledgeBase.add(documents);
    const count = ids.length === 1 ? '1 document' : `${ids.length} documents`;
    return { success: true as const, document_ids: [...ids], message: `${count} stored.` };
  },
});

/** Reads one document by its id. */
export const getDocument = defineOperation({
  name: 'get_document',
  title: 'Get a document',
  description: 'Reads one document by its id. Returns it with its times and its version.',
  effect: 'reads',
  scope: 'user',
  ...contract.get_document,
  example: { input: { doc_id: 'tea', user_id: 'ann' }, output: { success: true, document: storedExample } },
  route: {
    ...addressRoute,
    method: 'get',
    summary: 'Reads one document.',
    note: 'The ETag header is the version of the document.',
    errors: ['not_found', 'unavailable'],
    etagOf: ({ document }) => toEntityTag(document.version),
  },
  run: async (input, { deps: { knowledgeBase } }: KnowledgeBaseContext) => ({
    success: true as const,
    document: await knowledgeBase.get(toAddress(input)),
  }),
});

const tags = ['memory', 'habit'];

/** What followed from a change, where anything did. */
const toConsequences = (consequences: readonly Consequence[] = []) =>
  consequences.length === 0 ? {} : { consequences: [...consequences] };

/** Changes fields of one document. */
export const updateDocument = defineOperation({
  name: 'update_document',
  title: 'Update a document',
  description:
    'Changes parts of one document: content, tags and keys given are replaced, metadata is merged key by key (null removes a key). To replace all of it use add_document. Returns the document as it is now, and what was drawn from the words that it had.',
  effect: 'replaces',
  scope: 'user',
  ...contract.update_document,
  example: {
    input: { doc_id: 'tea', user_id: 'ann', tags },
    output: {
      success: true,
      document: { ...storedExample, tags, updated_at: '2026-03-02T09:30:00.000Z', version: 2 },
    },
  },
  route: {
    ...changeRoute,
    method: 'patch',
    summary: 'Changes parts of one document.',
    errors: ['not_found', 'precondition_failed', 'no_space', 'unavailable'],
    etagOf: ({ document }) => toEntityTag(document.version),
  },
  leaveOut: leaveOutOfChange,
  run: async ({ content, tags, metadata, keys, expires_at, ...address }, { deps, principal }: KnowledgeBaseContext) => {
    const patch = { content, tags, metadata, keys, expires_at };
    const { consequences, ...document } = await deps.knowledgeBase.update(toOwnAddress(address, principal), patch);
    return { success: true as const, document, ...toConsequences(consequences) };
  },
});

/** Deletes one document by its id. */
export const deleteDocument = defineOperation({
  name: 'delete_document',
  title: 'Delete a document',
  description:
    'Deletes one document by its id, for good. Fails when the call may see no such document. Later readings of the conversation that it was read in leave it out. What was drawn from it alone goes with it, and is listed.',
  effect: 'deletes',
  scope: 'user',
  ...contract.delete_document,
  example: { input: { doc_id: 'tea', user_id: 'ann' }, output: { success: true, message: 'Document deleted.' } },
  route: {
    ...changeRoute,
    method: 'delete',
    query: [...changeRoute.query, 'retract'],
    summary: 'Deletes one document.',
    errors: ['not_found', 'precondition_failed', 'unavailable'],
  },
  run: async ({ retract, ...input }, { deps, principal }: KnowledgeBaseContext) => {
    const consequences = await deps.knowledgeBase.delete(toOwnAddress(input, principal), { retract });
    return { success: true as const, message: 'Document deleted.', ...toConsequences(consequences) };
  },
});

/** Lists documents page by page, under a filter. */
export const listDocuments = defineOperation({
  name: 'list_documents',
  title: 'List documents',
  description:
    'Lists stored documents under the same filters as search_documents, most important and newest first, or as sort says. Use it to read everything; to look for something use search_documents. Returns documents, total, and next_cursor while there are more.',
  effect: 'reads',
  scope: 'user',
  translate: (request: ListRequest) => toScopedCall(request),
  subject: scopeSubject,
  ...contract.list_documents,
  example: {
    input: { user_id: 'ann', limit: 1 },
    output: { success: true, documents: [storedExample], total: 1 },
  },
  route: {
    method: 'post',
    path: '/documents/list',
    summary: 'Lists documents under a filter, page by page: most important and newest first, or as sort says.',
    errors: ['unavailable'],
  },
  run: async ({ request, filter }, { deps: { knowledgeBase } }: KnowledgeBaseContext) => ({
    success: true as const,
    ...(await knowledgeBase.list(request, filter)),
  }),
});
