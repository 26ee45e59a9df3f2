import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { call, tampered } from './support/hostile.ts';
import {
  expectDocumented,
  type HostileService,
  measureHealth,
  startHostileService,
} from './support/hostile-service.ts';

let service: HostileService;
beforeAll(async () => {
  service = await startHostileService(1_024);
});
afterAll(() => service.stop());

const REQUESTS = toRounds(40, 1_000);

const batch = (texts: readonly string[]): string => JSON.stringify(texts.map((content) => ({ content })));

/** The size of a batch in MB; a body of 16 is refused. */
const SIZE = toRounds(3, 15);

/** Texts that make up such a body. */
const batches: readonly (readonly [string, () => string])[] = [
  ['Chinese without punctuation', () => batch(Array(SIZE / 3).fill('散步喝茶'.repeat(250_000)))],
  ['squared words', () => batch(Array(SIZE / 3).fill('\u3316'.repeat(1_000_000)))],
  ['ligatures of 18 letters', () => batch(Array(SIZE / 3).fill('\ufdfa'.repeat(1_000_000)))],
  ['words', () => batch(Array(SIZE).fill('lorem ipsum dolor sit '.repeat(40_000)))],
  [
    'as many different words as fit in',
    () =>
      batch(
        Array.from({ length: 70 * SIZE }, (_, at) =>
          Array.from({ length: 2_000 }, (_, n) => (at * 2_000 + n).toString(36).padStart(6, 'q')).join(' '),
        ),
      ),
  ],
];

async function post(path: string, body: string): Promise<void> {
  const { result, longestMs } = await measureHealth(service.url, () => service.send({ method: 'POST', path, body }));
  process.stderr.write(`${longestMs.toFixed(0).padStart(6)} ms was the longest that /health took during ${path}\n`);
  expectDocumented(result);
  expect(result.status).toBe(200);
}

const BOOKS = toRounds(3, 5);
/** In MiB. Five books alone are 29 MiB in their two forms; it took 1,450 when all of their tokens were in memory at once. */
const MOST_MEMORY = 800;

describe('a service with 1 GB of memory', () => {
  it.each(batches)(`stores a batch of ${SIZE} MB: %s`, async (_name, toBody) => {
    await post('/batch_add', toBody());
    await service.expectUnharmed();
  });

  it(`stores and searches ${BOOKS} different Chinese books of a million characters in bounded memory`, async () => {
    const small = await startHostileService(400);
    const toBook = (seed: number): string => {
      const units = Buffer.alloc(2_000_000);
      let state = seed;
      for (let at = 0; at < units.length; at += 2) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        units.writeUInt16LE(0x4e00 + ((state >>> 8) % 6_000), at);
      }
      return units.toString('utf16le');
    };
    const books = Array.from({ length: BOOKS }, (_, at) => toBook(at + 1));
    const ask = (path: string, body: string) => small.send({ method: 'POST', path, body });
    expect(await ask('/batch_add', batch(books))).toMatchObject({ status: 200 });
    const query = books[2]?.slice(500_000, 500_004) ?? '';
    const found = await ask('/search', JSON.stringify({ query, top_k: 1 }));
    expect(found).toMatchObject({ status: 200 });
    await small.expectUnharmed();
    const peak = await small.peakMemory();
    process.stderr.write(`${peak.toFixed(0).padStart(6)} MiB was the most memory of the process\n`);
    expect(peak).toBeLessThan(MOST_MEMORY);
    await small.stop();
  });

  it('searches among books of a million characters', async () => {
    for (let at = 0; at < toRounds(1, 4); at += 1)
      await post('/batch_add', batch(Array(5).fill('散步喝茶'.repeat(250_000))));
    for (const query of ['散步', '茶', 'lorem 喝茶 ipsum']) await post('/search', JSON.stringify({ query, top_k: 1 }));
    await service.expectUnharmed();
  });

  it(`answers any request as documented, ${REQUESTS} of them`, async () => {
    const fresh = await startHostileService(1_024);
    const property = fc.asyncProperty(
      fc.oneof({ weight: 3, arbitrary: call }, { weight: 1, arbitrary: tampered }),
      async (request) => {
        expectDocumented(await fresh.send(request));
        await fresh.expectUnharmed();
      },
    );
    await fc.assert(property, { numRuns: REQUESTS });
    await fresh.stop();
  });
});
