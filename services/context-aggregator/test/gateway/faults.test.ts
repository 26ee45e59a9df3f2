import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Fault, type FaultyUpstream, startFaultyUpstream } from '../support/faulty-upstream.ts';
import { createTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.ts';

/** Longer than any test may take: what waits for it fails. */
const NEVER_MS = 600_000;

let faulty: FaultyUpstream;
let sound: FaultyUpstream;
let gateway: TestGateway | undefined;
let client: TestClient | undefined;

beforeEach(async () => {
  [faulty, sound] = await Promise.all([startFaultyUpstream(), startFaultyUpstream()]);
});
afterEach(async () => {
  await client?.close();
  await gateway?.close();
  await Promise.all([faulty.close(), sound.close()]);
});

async function open(options: Pick<TestGatewayOptions, 'bounds' | 'listMs'> = {}): Promise<void> {
  gateway = createTestGateway({ urls: { faulty: faulty.address, sound: sound.address }, listMs: NEVER_MS, ...options });
  client = await connectInMemory(gateway.factory);
}

async function echo(server: 'faulty' | 'sound', text = 'hi'): Promise<string> {
  const answer = await client?.client.callTool({ name: `${server}__echo`, arguments: { text } });
  return (answer?.content as { text: string }[] | undefined)?.[0]?.text ?? '';
}

async function toolNames(): Promise<readonly string[]> {
  const listed = await client?.client.listTools();
  return (listed?.tools ?? []).map(({ name }) => name).filter((name) => name.includes('__'));
}

describe.each([
  ['half-closed', 'broke off'],
  ['garbage', 'answered something that is not JSON'],
  ['broken', 'answered HTTP 500 instead of MCP'],
  ['flood', 'answered with more than 64 MiB'],
  ['hang', 'did not answer within 1500 ms'],
] as const)('an upstream that is %s', (fault, reason) => {
  it('fails the call that it spoils, and answers the next; other servers answer meanwhile', async () => {
    await open(fault === 'hang' ? { bounds: { timeoutMs: 1_500 } } : {});
    expect(await toolNames()).toEqual(['faulty__echo', 'sound__echo']);
    faulty.fault = fault;
    const spoilt = echo('faulty');
    expect(await echo('sound', 'I am here')).toBe('I am here');
    expect(await spoilt).toContain(reason);
    faulty.fault = 'none';
    expect(await echo('faulty', 'back')).toBe('back');
  });
});

describe('an upstream that does not begin to speak', () => {
  it.each<Fault>(['hang', 'broken', 'garbage'])(
    'because it is %s keeps no other server from being listed and called',
    async (fault) => {
      faulty.otherwise = fault;
      await open({ listMs: 200, bounds: { timeoutMs: 10_000 } });
      // On a busy machine the sound one may miss the first list's deadline too; it is in a later one then.
      let names = await toolNames();
      while (names.length === 0) {
        // An answer of what is known needs no turn of the event loop, which the sound one needs to answer.
        await new Promise((resolve) => setTimeout(resolve, 20));
        names = await toolNames();
      }
      expect(names).toEqual(['sound__echo']);
      expect(await echo('sound', 'I am here')).toBe('I am here');
    },
  );

  it('is left alone after three tries, and tried by one call when some time has passed', async () => {
    await open();
    await toolNames();
    faulty.fault = 'broken';
    faulty.otherwise = 'broken';
    while (!(await echo('faulty')).includes('asked again in a moment'));
    const before = faulty.asked.length;
    expect(await echo('faulty')).toContain('failed several times in a row (it answered HTTP 500 instead of MCP)');
    expect(faulty.asked).toHaveLength(before);
    faulty.fault = 'none';
    faulty.otherwise = 'none';
    while ((await echo('faulty', 'back')) !== 'back') await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all([echo('faulty'), echo('faulty')]);
    expect(faulty.asked.slice(before).filter((method) => method === 'initialize')).toHaveLength(1);
  });
});

describe('an upstream that is slow', () => {
  it('answers each call in its time, and holds up no call of another', async () => {
    await open();
    await toolNames();
    faulty.fault = 'slow';
    const texts = Array.from({ length: 10 }, (_, at) => `call ${at}`);
    const slow = Promise.all(texts.map((text) => echo('faulty', text)));
    expect(await Promise.all(texts.map((text) => echo('sound', text)))).toEqual(texts);
    while (faulty.release() < texts.length) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await slow).toEqual(texts);
  });
});

describe('an upstream that is flapping', () => {
  it.each<[Fault, string]>([
    ['broken', 'answered HTTP 500 instead of MCP'],
    ['half-closed', 'broke off'],
  ])('between %s and sound is asked each time, and answers whenever it is sound', async (fault, reason) => {
    await open();
    await toolNames();
    for (let round = 0; round < 10; round += 1) {
      faulty.fault = fault;
      expect(await echo('faulty')).toBe(`faulty ${reason}.`);
      faulty.fault = 'none';
      expect(await echo('faulty', `round ${round}`)).toBe(`round ${round}`);
      expect(await echo('sound', `round ${round}`)).toBe(`round ${round}`);
    }
    expect(await toolNames()).toEqual(['faulty__echo', 'sound__echo']);
  });
});

describe('an upstream that is slow to list what it has for the first time', () => {
  /** Lets what it was asked for be answered, as it comes. */
  async function releaseUntil<T>(pending: Promise<T>): Promise<T> {
    const timer = setInterval(() => faulty.release(), 5);
    return pending.finally(() => clearInterval(timer));
  }

  it('is waited for by a call of its tool, and by no list', async () => {
    faulty.otherwise = 'slow';
    await open({ listMs: 100 });
    expect(await toolNames()).not.toContain('faulty__echo');
    const pending = echo('faulty', 'at last');
    expect(await echo('sound', 'I am here')).toBe('I am here');
    expect(await releaseUntil(pending)).toBe('at last');
  });

  it('is no longer waited for when the client gives the call up', async () => {
    faulty.otherwise = 'slow';
    await open({ listMs: 100 });
    const stop = new AbortController();
    const pending = client?.client.callTool({ name: 'faulty__echo', arguments: {} }, { signal: stop.signal });
    setTimeout(() => stop.abort('given up'), 20);
    await expect(pending).rejects.toThrow('given up');
    expect(await echo('sound', 'I am here')).toBe('I am here');
  });

  it('and cannot be reached is named with the reason', async () => {
    faulty.otherwise = 'broken';
    await open();
    await expect(echo('faulty')).rejects.toThrow(
      'Unknown tool: faulty__echo (faulty answered HTTP 500 instead of MCP)',
    );
    await expect(client?.client.readResource({ uri: 'note://1' })).rejects.toThrow('faulty answered HTTP 500');
  });
});

describe('an upstream that was there', () => {
  it('is listed as it was while it cannot be reached', async () => {
    await open();
    expect(await toolNames()).toContain('faulty__echo');
    faulty.otherwise = 'hang';
    faulty.fault = 'broken';
    await echo('faulty'); // The connection is given up with it.
    expect(await toolNames()).toContain('faulty__echo');
  });

  it('answers every call after it forgot the session, those that were sent together too', async () => {
    await open();
    await toolNames();
    faulty.forget();
    const texts = Array.from({ length: 10 }, (_, at) => `call ${at}`);
    expect(await Promise.all(texts.map((text) => echo('faulty', text)))).toEqual(texts);
    expect(faulty.asked.filter((method) => method === 'initialize')).toHaveLength(2);
  });
});

it('sends a server no more calls at once than its entry allows, whichever client makes them', async () => {
  await open({ bounds: { concurrency: 2 } });
  const other = await connectInMemory((gateway as TestGateway).factory);
  const call = { name: 'faulty__echo', arguments: { text: 'other' } };
  const theirs = Array.from({ length: 5 }, () => other.client.callTool(call));
  const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => echo('faulty', `call ${at}`)));
  await Promise.all(theirs);
  await other.close();
  expect(answers).toEqual([0, 1, 2, 3, 4].map((at) => `call ${at}`));
  expect(faulty.mostAtOnce()).toBe(2);
});

it.each([false, true])(
  'keeps its connection to an upstream from call to call, answered as a stream: %s',
  async (streams) => {
    faulty.streams = streams;
    await open();
    await toolNames();
    await echo('faulty');
    const before = faulty.connections();
    for (let call = 0; call < 10; call += 1) await echo('faulty');
    // A stream that has not quite ended when the next call begins does with one more.
    expect(faulty.connections() - before).toBeLessThanOrEqual(2);
  },
);
