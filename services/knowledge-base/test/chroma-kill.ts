import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type Running, serviceFile, start, untilListening } from './support/children.ts';
import { type ChromaServer, startChroma } from './support/chroma-server.ts';
import { type Answer, ask, makeFolder } from './support/service.ts';

const WRITERS = 4;
/** Writes of one round, if nobody is killed before. */
const WRITES = 240;
/** How many of the documents are looked up by search and by old values as well as by id. */
const SEARCHED = 40;
const RECOVERY_MS = 20_000;
const BATCH = 5;

/** What may be in the store under an id: the serial number of its content, or `none`. */
type State = number | 'none';

/** What writers were told, over all rounds. */
interface Ledger {
  /** What each id may hold: one state when the last write was acknowledged, more when it was not answered. */
  readonly possible: Map<string, ReadonlySet<State>>;
  /** Batches that were not answered: all their documents are there, or none. */
  readonly doubtful: (readonly string[])[];
  /** Serial numbers that an acknowledged write has replaced or removed. */
  readonly outdated: Map<string, number>;
}

interface Service {
  readonly running: Running;
  readonly url: string;
}

/** Starts a service with nothing on its disk, as on another machine: all that is kept is on the server. */
async function startService(chroma: ChromaServer, dataDir: string): Promise<Service> {
  await rm(dataDir, { recursive: true, force: true });
  const env = { KB_PORT: '0', KB_DATA_DIR: dataDir, CHROMA_URL: chroma.url, LOG_LEVEL: 'info' };
  const running = start(serviceFile, [], env);
  return { running, url: await untilListening(running) };
}

const wordOf = (serial: number): string => `word${serial.toString(36)}q`;

function toDocument(id: string, serial: number) {
  const content = `${wordOf(serial)} 第${serial}号 the tide table of the harbour`;
  return { doc_id: id, content, tags: ['memory'], metadata: { user_id: 'writer', serial, importance: serial % 10 } };
}

/** One write: which documents it is about, what they become, and how it is sent. */
interface Write {
  readonly ids: readonly string[];
  readonly becomes: State;
  readonly send: (url: string) => Promise<Answer>;
}

function toWrite(serial: number, id: string, kind: number): Write {
  const path = `/documents/${id}?user_id=writer`;
  const document = toDocument(id, serial);
  if (kind === 0) {
    const ids = Array.from({ length: BATCH }, (_, at) => `${id}-${at}`);
    const documents = ids.map((one) => toDocument(one, serial));
    return { ids, becomes: serial, send: (url) => ask(url, 'POST', '/batch_add', documents) };
  }
  if (kind === 1) return { ids: [id], becomes: 'none', send: (url) => ask(url, 'DELETE', path) };
  if (kind === 2) {
    const { content, metadata } = document;
    return { ids: [id], becomes: serial, send: (url) => ask(url, 'PATCH', path, { content, metadata }) };
  }
  return { ids: [id], becomes: serial, send: (url) => ask(url, 'POST', '/add', document) };
}

/** The next write of a writer: mostly new documents and replacements of its own, so that order within an id is known. */
function chooseWrite(serial: number, mine: readonly string[]): Write {
  const known = mine[serial % Math.max(1, mine.length)];
  if (known === undefined || serial % 3 === 0) return toWrite(serial, `d-${serial}`, serial % 9 === 0 ? 0 : 3);
  return toWrite(serial, known, serial % 11 === 0 ? 1 : serial % 2 === 0 ? 2 : 3);
}

/** Writes until somebody is killed; notes what was acknowledged, and what was sent without an answer. */
async function write(url: string, serials: readonly number[], ledger: Ledger, onAcknowledged: () => void) {
  const mine: string[] = [];
  for (const serial of serials) {
    const { ids, becomes, send } = chooseWrite(serial, mine);
    const before = ids.map((id) => ledger.possible.get(id) ?? new Set<State>(['none']));
    for (const [at, id] of ids.entries()) ledger.possible.set(id, new Set([...(before[at] ?? []), becomes]));
    const answer = await send(url).catch(() => undefined); // The service was killed.
    if (answer === undefined || answer.status >= 500) {
      expect([undefined, 503]).toContain(answer?.status);
      if (ids.length > 1) ledger.doubtful.push(ids);
      return;
    }
    // A document that was removed is not there to be changed; everything else is done.
    if (answer.status === 404 && before[0]?.has('none')) continue;
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    for (const [at, id] of ids.entries()) {
      for (const state of before[at] ?? []) if (state !== 'none') ledger.outdated.set(id, state);
      ledger.possible.set(id, new Set([becomes]));
      if (becomes === 'none') mine.splice(mine.indexOf(id), 1);
      else if (!mine.includes(id)) mine.push(id);
    }
    onAcknowledged();
  }
}

async function untilHealthy(url: string): Promise<void> {
  for (const deadline = Date.now() + RECOVERY_MS; Date.now() < deadline; await sleep(100)) {
    if ((await ask(url, 'GET', '/health')).status === 200) return;
  }
  throw new Error('the service did not recover');
}

interface Listed {
  readonly id: string;
  readonly content: string;
  readonly metadata: { readonly serial: number };
}

async function listAll(url: string, filter: object = {}): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  let cursor: string | undefined;
  do {
    const body = { user_id: 'writer', limit: 200, cursor: cursor ?? null, metadata_filter: filter };
    const { json } = await ask(url, 'POST', '/documents/list', body);
    found.push(...json.documents);
    cursor = json.next_cursor;
  } while (cursor !== undefined);
  return found;
}

const sample = <T>(items: readonly T[]): readonly T[] =>
  items.filter((_, at) => at % Math.ceil(items.length / SEARCHED) === 0);

/** Holds what the store has against what was acknowledged. */
async function check(url: string, { possible, doubtful, outdated }: Ledger): Promise<void> {
  const documents = await listAll(url);
  const held = new Map(documents.map((document) => [document.id, document]));
  expect(held.size).toBe(documents.length);
  for (const [id, allowed] of possible) {
    const state = held.get(id)?.metadata.serial ?? 'none';
    expect({ id, state, isAllowed: allowed.has(state) }).toEqual({ id, state, isAllowed: true });
    if (state !== 'none') expect(held.get(id)?.content).toContain(wordOf(state));
  }
  for (const ids of doubtful) expect([0, BATCH]).toContain(ids.filter((id) => held.has(id)).length);
  const { json } = await ask(url, 'GET', '/stats?user_id=writer');
  expect([json.stats.document_count, json.stats.vector_count]).toEqual([documents.length, documents.length]);
  for (const { id, metadata } of sample(documents)) {
    const query = wordOf(metadata.serial);
    const { json: found } = await ask(url, 'POST', '/search', { query, user_id: 'writer', top_k: 6 });
    const hits = found.results.filter(({ content }: Listed) => content.includes(query));
    expect(hits.map((hit: Listed) => hit.id)).toContain(id);
    expect(new Set(hits.map((hit: Listed) => hit.id)).size).toBe(hits.length);
  }
  for (const [id, serial] of sample([...outdated])) {
    if (possible.get(id)?.has(serial)) continue;
    expect((await listAll(url, { serial })).filter((found) => found.id === id)).toEqual([]);
  }
}

/**
 * Kills the Chroma server or the service in front of it, in turns, in the middle of many kinds of writes, `rounds` times over
 * on the same store, and looks for all that was acknowledged after each. The service is started again only when it was
 * killed itself.
 */
export async function killAndCheckChroma(rounds: number): Promise<void> {
  let chroma = await startChroma();
  const { port, dataDir } = chroma; // Whoever is given a folder leaves it: the last server did not make it.
  const indexDir = await makeFolder();
  let service = await startService(chroma, indexDir);
  const ledger: Ledger = { possible: new Map(), doubtful: [], outdated: new Map() };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const killed = round % 3 === 2 ? 'service' : 'chroma';
      const killAfter = 1 + Math.floor(Math.random() * (WRITES - 1));
      let acknowledged = 0;
      const onAcknowledged = (): void => {
        acknowledged += 1;
        if (acknowledged !== killAfter) return;
        if (killed === 'chroma') process.kill(chroma.pid, 'SIGKILL');
        else service.running.child.kill('SIGKILL');
      };
      const all = Array.from({ length: WRITES }, (_, at) => round * WRITES + at);
      const turns = Array.from({ length: WRITERS }, (_, writer) => all.filter((n) => n % WRITERS === writer));
      await Promise.all(turns.map((serials) => write(service.url, serials, ledger, onAcknowledged)));
      if (killed === 'chroma') {
        await chroma.kill();
        chroma = await startChroma({ dataDir, port });
      } else {
        service.running.child.kill('SIGKILL');
        await service.running.ended;
        service = await startService(chroma, indexDir);
      }
      await untilHealthy(service.url);
      await check(service.url, ledger);
    }
  } finally {
    await service.running.stop();
    await chroma.stop();
    for (const folder of [dataDir, indexDir]) await rm(folder, { recursive: true, force: true });
  }
}
