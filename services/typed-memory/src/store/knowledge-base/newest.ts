import { type JsonObject, type KnowledgeClient, listRequestSchema, type StoredDocument } from '@contextloom/contracts';

/** Most documents that are looked at. */
const PAGE = 200;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 200 * 365 * 86_400_000;
const MAX_STEPS = 24;

/** Where to look, and by which metadata key, in epoch milliseconds. */
export interface NewestOptions {
  readonly userId: string;
  readonly tag: string;
  readonly timeKey: 'written_ms' | 'occurred_ms';
  readonly limit: number;
  readonly nowMs: number;
}

/** Builds the function that lists what is no older than so many milliseconds. */
function createLister(knowledge: KnowledgeClient, { userId, tag, timeKey, nowMs }: NewestOptions) {
  return (limit: number, maxAge?: number) => {
    const since: JsonObject = maxAge === undefined ? {} : { [timeKey]: { gte: nowMs - maxAge } };
    const filter = { tags: [tag], metadata_filter: { user_id: userId, ...since } };
    return knowledge.list(listRequestSchema.parse({ ...filter, limit }));
  };
}

/** An age that at least `limit` documents and, where times allow it, no more than a page do not exceed; found by halving. */
async function findAge(list: ReturnType<typeof createLister>, limit: number): Promise<number> {
  let [shorter, longer, age] = [SHORTEST_MS, LONGEST_MS, 86_400_000];
  for (let step = 0; step < MAX_STEPS && longer / shorter > 1.001; step += 1) {
    const { total } = await list(1, age);
    if (total >= limit && total <= PAGE) return age;
    if (total < limit) shorter = age;
    else longer = age;
    age = Math.sqrt(shorter * longer);
  }
  return longer;
}

/** The newest documents under a tag, newest first, and how many there are. Listings go by importance, so that a page may lack them. */
export async function listNewest(
  knowledge: KnowledgeClient,
  options: NewestOptions,
): Promise<{ readonly total: number; readonly documents: readonly StoredDocument[] }> {
  const { timeKey, limit } = options;
  const list = createLister(knowledge, options);
  const timeOf = ({ metadata }: StoredDocument): number => Number(metadata[timeKey] ?? 0);
  const { total, documents } = await list(limit === 0 ? 1 : PAGE);
  if (limit === 0) return { total, documents: [] };
  const page = total <= PAGE ? documents : (await list(PAGE, await findAge(list, limit))).documents;
  return { total, documents: [...page].sort((a, b) => timeOf(b) - timeOf(a)).slice(0, limit) };
}
