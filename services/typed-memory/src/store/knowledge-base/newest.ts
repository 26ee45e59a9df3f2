import { type JsonObject, type KnowledgeClient, listRequestSchema, type StoredDocument } from '@contextloom/contracts';

/** Listings go by importance; to learn what is newest, ever longer times are looked at until one has enough. */
const WINDOWS_MS = [1, 30, 365].map((days) => days * 86_400_000);
const PAGE = 200;
/** Most documents that are looked at. */
const MAX_PAGES = 25;

/** Where to look, and by which metadata key, in epoch milliseconds. */
export interface NewestOptions {
  readonly userId: string;
  readonly tag: string;
  readonly timeKey: 'written_ms' | 'occurred_ms';
  readonly limit: number;
  readonly nowMs: number;
}

async function listAll(
  knowledge: KnowledgeClient,
  tag: string,
  filter: JsonObject,
): Promise<readonly StoredDocument[]> {
  const documents: StoredDocument[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await knowledge.list(
      listRequestSchema.parse({ tags: [tag], metadata_filter: filter, limit: PAGE, ...(cursor && { cursor }) }),
    );
    documents.push(...listed.documents);
    cursor = listed.next_cursor;
    if (cursor === undefined) break;
  }
  return documents;
}

/** The newest documents under a tag, newest first. */
export async function listNewest(
  knowledge: KnowledgeClient,
  { userId, tag, timeKey, limit, nowMs }: NewestOptions,
): Promise<readonly StoredDocument[]> {
  const timeOf = ({ metadata }: StoredDocument): number => Number(metadata[timeKey] ?? 0);
  for (const window of [...WINDOWS_MS, undefined]) {
    const since = window === undefined ? {} : { [timeKey]: { gte: nowMs - window } };
    const documents = await listAll(knowledge, tag, { user_id: userId, ...since });
    if (documents.length >= limit || window === undefined) {
      return [...documents].sort((a, b) => timeOf(b) - timeOf(a)).slice(0, limit);
    }
  }
  return [];
}
