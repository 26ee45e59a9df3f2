import { expect } from '@jest/globals';
import { type Running, serviceFile, start, untilListening } from './support/children.ts';

/** Writes of one round; every fifth replaces a document that was acknowledged before it. */
const WRITES = 2_000;
const WRITERS = 4;
/** How many of a round's documents are looked up by search as well as by id. */
const SEARCHED = 100;

/** The settings that say where documents are kept. */
type Place = Readonly<Record<string, string>>;

interface Service {
  readonly running: Running;
  readonly url: string;
}

async function startService(place: Place): Promise<Service> {
  const env = { KB_PORT: '0', KB_HOST: '127.0.0.1', ...place, LOG_LEVEL: 'info' };
  const running = start(serviceFile, [], env);
  return { running, url: await untilListening(running) };
}

async function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
}

/** What a round's writers were told: the serial number that each acknowledged id holds, and those never answered. */
interface Ledger {
  readonly acknowledged: Map<string, number>;
  /** Serial numbers that were sent for an id and not answered: the store may hold them, or what was there before. */
  readonly unanswered: Map<string, number>;
}

const wordOf = (serial: number): string => `word${serial.toString(36)}q`;

function toDocument(id: string, serial: number) {
  const content = `${wordOf(serial)} 第${serial}号 the tide table of the harbour`;
  return { id, content, tags: ['memory'], metadata: { user_id: 'writer', serial, importance: serial % 10 } };
}

/** Writes until the service is gone; each writer has ids of its own, so that order within an id is known. */
async function write(
  url: string,
  round: number,
  writer: number,
  ledger: Ledger,
  onAcknowledged: () => void,
): Promise<void> {
  const mine: string[] = [];
  for (let n = writer; n < WRITES; n += WRITERS) {
    const serial = round * WRITES + n;
    const replaced = n % 5 === 4 ? mine[n % mine.length] : undefined;
    const id = replaced ?? `r${round}-${n}`;
    ledger.unanswered.set(id, serial);
    const response = await post(`${url}/add`, toDocument(id, serial)).catch(() => undefined); // The service was killed.
    if (response === undefined) return;
    if (!response.ok) throw new Error(`refused: ${await response.text()}`);
    ledger.unanswered.delete(id);
    ledger.acknowledged.set(id, serial);
    if (replaced === undefined) mine.push(id);
    onAcknowledged();
  }
}

/** Runs one round: writers at work, SIGKILL after `killAfter` acknowledgements. */
async function writeAndKill(place: Place, round: number, killAfter: number): Promise<Ledger> {
  const { running, url } = await startService(place);
  const ledger: Ledger = { acknowledged: new Map(), unanswered: new Map() };
  let count = 0;
  const onAcknowledged = (): void => {
    count += 1;
    if (count === killAfter) running.child.kill('SIGKILL');
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(url, round, writer, ledger, onAcknowledged)));
  running.child.kill('SIGKILL');
  await running.ended;
  return ledger;
}

interface Listed {
  readonly id: string;
  readonly content: string;
  readonly metadata: { readonly serial: number };
}

async function readJson<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

async function listAll(url: string): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  let cursor: string | undefined;
  do {
    const page = await readJson<{ documents: Listed[]; next_cursor?: string }>(
      await post(`${url}/documents/list`, { user_id: 'writer', limit: 200, cursor: cursor ?? null }),
    );
    found.push(...page.documents);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
}

/** Holds what the store has against what was acknowledged. */
async function check(place: Place, ledgers: readonly Ledger[]): Promise<void> {
  const { running, url } = await startService(place);
  const documents = await listAll(url);
  const held = new Map(documents.map((document) => [document.id, document]));
  expect(held.size).toBe(documents.length);
  for (const { acknowledged, unanswered } of ledgers) {
    for (const [id, serial] of acknowledged) {
      const document = held.get(id);
      const allowed = [serial, unanswered.get(id)];
      expect({ id, allowed: allowed.includes(document?.metadata.serial) }).toEqual({ id, allowed: true });
      expect(document?.content).toContain(wordOf(document?.metadata.serial ?? -1));
    }
  }
  const { stats } = await readJson<{ stats: { document_count: number; vector_count: number } }>(
    await fetch(`${url}/stats?user_id=writer`),
  );
  expect([stats.document_count, stats.vector_count]).toEqual([documents.length, documents.length]);
  await checkSearch(url, ledgers.at(-1), held);
  await running.stop();
}

/** Every document is found by its own word, once, and no replaced word finds anything. */
async function checkSearch(url: string, ledger: Ledger | undefined, held: ReadonlyMap<string, Listed>): Promise<void> {
  const ids = [...(ledger?.acknowledged.keys() ?? [])];
  const step = Math.max(1, Math.floor(ids.length / SEARCHED));
  for (const id of ids.filter((_, at) => at % step === 0)) {
    const query = wordOf(held.get(id)?.metadata.serial ?? -1);
    const { results } = await readJson<{ results: Listed[] }>(
      await post(`${url}/search`, { query, user_id: 'writer', top_k: 3 }),
    );
    expect(results[0]?.id).toBe(id);
    expect(results.filter((result) => result.content.includes(query))).toHaveLength(1);
  }
}

/**
 * Kills the service that holds the store in the middle of 2,000 writes, `rounds` times over on the same store, at a
 * different moment each time, and looks for all that was acknowledged after each.
 */
export async function killAndCheck(place: Place, rounds: number): Promise<void> {
  const ledgers: Ledger[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const killAfter = 1 + Math.floor(Math.random() * (WRITES - 1));
    ledgers.push(await writeAndKill(place, round, killAfter));
    await check(place, ledgers);
  }
}
