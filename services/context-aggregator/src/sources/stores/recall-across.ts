import type { MemoryKind } from '@contextloom/contracts/aggregator';
import type { Hit, StoredMemory } from '../../domain/stores/stored-memory.ts';
import { type NotAsked, toUnique } from './list-across.ts';
import type { MemoryStore, StoreQuery } from './memory-store.ts';
import { toTime } from './store-list.ts';

/** What the stores found, and which could not be reached. */
export interface RecalledAcross {
  readonly found: readonly Hit<MemoryKind>[];
  readonly notAsked: readonly NotAsked[];
}

/** Asks all stores at the same time; one that does not answer is named. */
export async function recallAcross(stores: readonly MemoryStore[], query: StoreQuery): Promise<RecalledAcross> {
  const { from, to } = query.filter?.range ?? { from: -Infinity, to: Infinity };
  const isWithin = (memory: StoredMemory): boolean => {
    const time = toTime(memory);
    return time >= from && time < to;
  };
  const answers = await Promise.all(
    stores.map(async ({ kind, service, recall }) => ({ kind, service, answer: await recall(query) })),
  );
  return {
    found: answers.flatMap(({ kind, answer }) =>
      answer.kind === 'ok'
        ? answer.value
            .filter(isWithin)
            .slice(0, query.limit)
            .map((memory) => ({ ...memory, kind }))
        : [],
    ),
    notAsked: toUnique(
      answers.flatMap(({ service, answer }) =>
        answer.kind === 'ok' ? [] : [{ store: service, reason: answer.reason }],
      ),
    ),
  };
}
