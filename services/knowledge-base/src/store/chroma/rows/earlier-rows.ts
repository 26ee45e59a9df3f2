import type { StoredDocument } from '@contextloom/contracts';
import { z } from 'zod';
import type { FoundCollection } from '../connection/client.ts';
import type { HitRow } from './collection.ts';
import { type RowSource, toRowSource } from './row-source.ts';

/*
 * The rows of earlier versions: ids `<document>#<slot>`, a text of tokens and then the content, `doc:owner` '' in rows that are
 * not shown, and `doc:head` with the rest as JSON.
 */
const headSchema = z.object({
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  tags: z.array(z.string()),
  metadata: z.custom<StoredDocument['metadata']>((value) => typeof value === 'object' && value !== null),
  keys: z.array(z.string()).optional(),
});

function toContent(text: string): string {
  return text.slice(text.indexOf('\n', text.indexOf('\n') + 1) + 1);
}

/** The document of a row in the earlier form; `none` of one that was never shown, or is no more. */
function parseEarlierRow({ id, text = '', notes }: HitRow): StoredDocument | 'none' {
  if (notes['doc:owner'] === '' || notes['doc:dead'] === true) return 'none';
  const { keys, ...known } = headSchema.parse(JSON.parse(String(notes['doc:head'])));
  const document = id.slice(0, id.lastIndexOf('#'));
  return { id: document, content: toContent(text), ...known, ...(keys !== undefined && { keys }) };
}

/** The documents in the rows of an earlier version. */
export function createEarlierSource({ rows }: FoundCollection, hasOwnVectors: boolean): RowSource {
  return toRowSource(rows, { parse: parseEarlierRow, waitingKey: 'doc:waiting', hasOwnVectors });
}
