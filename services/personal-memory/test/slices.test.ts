import { describe, expect, it } from '@jest/globals';
import { toSearchable } from '../src/domain/context.ts';
import { toEvent } from './store/store.contract.ts';
import { embed } from './support/memory.ts';
import { useMemory } from './support/memory-test.ts';

const test = useMemory();
const EVENTS = 8_000;
const DAY_MS = 86_400_000;

/** How often the event loop turns, and so answers others, while something is done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return turns;
}

describe('others are answered while one user', () => {
  it('reads and sums up thousands of events', async () => {
    const text = await toSearchable('walk', { embed });
    await test.store.use('ann', (memory) =>
      memory.change(async (writer) => {
        for (let n = 0; n < EVENTS; n += 1) {
          await writer.addEvent(
            toEvent('walk', { time: Math.round(n * 0.4 * DAY_MS), metadata: { cost: 1 } }),
            0,
            text,
          );
        }
      }),
    );
    let trends: Record<string, unknown> = {};
    const analyze = async () => {
      trends = await test.ann.ask('analyze_trends');
    };
    expect(await countTurns(analyze)).toBeGreaterThan(10);
    expect(trends).toMatchObject({ events: EVENTS, spend: EVENTS, rhythm: { interval_days: expect.any(Number) } });
    const summarize = () => test.ann.ask('summarize_events', { group_by: 'month' });
    expect(await countTurns(summarize)).toBeGreaterThan(10);
    expect(await countTurns(() => test.ann.ask('export_data', { format: 'csv' }))).toBeGreaterThan(10);
  });

  it('imports and looks through thousands of entities that were stored in one moment', async () => {
    const at = '2025-01-01T00:00:00Z';
    const toRecord = (n: number) => ({
      entity: n,
      entity_type: 'other',
      name: `thing ${n}`,
      created_at: at,
      updated_at: at,
    });
    const entities = Array.from({ length: 4_000 }, (_, n) => toRecord(n + 1));
    const data = JSON.stringify({ format: 'contextloom-personal-memory', version: 1, entities });
    const load = () => test.ann.ask('import_data', { format: 'json', data });
    expect(await countTurns(load)).toBeGreaterThan(10);
    expect(await load()).toMatchObject({ imported: { entities: 0 }, already_known: { entities: 4_000 } });
    expect(await countTurns(() => test.ann.ask('resolve_entity', { text: 'thing 77' }))).toBeGreaterThan(10);
    const listed = await test.ann.ask('list_entities');
    expect([(listed['entities'] as unknown[]).length, listed['next_offset']]).toEqual([200, 200]);
  });
});
