import { documentInputSchema, identifier, MAX_BATCH, withoutNulls } from '@contextloom/contracts';
import { z } from 'zod';

const eitherIdSchema = documentInputSchema
  .extend({ id: identifier('The same as doc_id, as older clients name it.').optional() })
  .refine(({ id, doc_id }) => id === undefined || doc_id === undefined || id === doc_id, {
    path: ['id'],
    message: 'must equal doc_id when both are given',
  })
  .transform(({ id, ...document }) => (id === undefined ? document : { ...document, doc_id: id }));

/** A document as HTTP clients send it: its id is called `doc_id` or `id`, and null counts as absent. */
export const documentBodySchema = z.preprocess(withoutNulls, eitherIdSchema);

/** Counted before they are parsed one by one. */
const documentsSchema = z
  .preprocess((documents, context) => {
    if (!Array.isArray(documents) || documents.length <= MAX_BATCH) return documents;
    context.addIssue({ code: 'custom', message: `must be at most ${MAX_BATCH} documents` });
    return z.NEVER;
  }, z.array(documentBodySchema))
  .describe(`The documents, at most ${MAX_BATCH}. The body may also be this array alone.`);

/** Several documents: `{documents: […]}`, or the bare array. */
export const batchBodySchema = z.preprocess(
  (body) => (Array.isArray(body) ? { documents: body } : body),
  z.object({ documents: documentsSchema }),
);
