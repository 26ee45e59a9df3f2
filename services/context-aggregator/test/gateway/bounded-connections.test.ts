import type { ConnectionLimits } from '@contextloom/mcp-client';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { putLast, takeLeastRecent } from '../../src/gateway/least-recent.ts';
import { type FaultyUpstream, startFaultyUpstream } from '../support/faulty-upstream.ts';
import { createTestGateway, only, type TestGateway } from '../support/gateway.ts';

let wiki: FaultyUpstream;
let gateway: TestGateway;
const clients: TestClient[] = [];

beforeEach(async () => {
  wiki = await startFaultyUpstream();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await gateway.close();
  await wiki.close();
});

function open(connections: ConnectionLimits): void {
  gateway = createTestGateway({ urls: { wiki: wiki.address }, connections });
}

async function connect(user: string): Promise<TestClient> {
  const client = await connectInMemory(gateway.factory, only(user));
  clients.push(client);
  return client;
}

const echo = async (client: TestClient, text: string) => (await client.callTool('wiki__echo', { text })).text;
const opened = (): number => wiki.asked.filter((method) => method === 'initialize').length;

it('closes the connection unused for longest where there are as many as there may be, and opens it again', async () => {
  open({ inAll: 2, perOwner: 2 });
  const [ann, bob, cleo] = [await connect('ann'), await connect('bob'), await connect('cleo')];
  expect(await echo(ann, 'ann 1')).toBe('ann 1');
  expect(await echo(bob, 'bob 1')).toBe('bob 1');
  expect(await echo(ann, 'ann 2')).toBe('ann 2');
  expect([opened(), gateway.connections()]).toEqual([2, 2]);
  expect(await echo(cleo, 'cleo 1')).toBe('cleo 1'); // That of bob makes way.
  expect(await echo(ann, 'ann 3')).toBe('ann 3');
  expect([opened(), gateway.connections()]).toEqual([3, 2]);
  expect(await echo(bob, 'bob 2')).toBe('bob 2');
  expect([opened(), gateway.connections()]).toEqual([4, 2]);
});

it('takes room for a user from that user', async () => {
  open({ inAll: 10, perOwner: 1 });
  const [ann, annAgain, bob] = [await connect('ann'), await connect('ann'), await connect('bob')];
  await echo(bob, 'bob');
  await echo(ann, 'ann');
  await echo(annAgain, 'ann again');
  expect(gateway.connections()).toBe(2);
  await echo(bob, 'bob again');
  expect(opened()).toBe(3);
});

it('refuses a call for which there is no connection, and leaves those that are in use alone', async () => {
  open({ inAll: 1, perOwner: 1 });
  const [ann, bob] = [await connect('ann'), await connect('bob')];
  await ann.client.listTools();
  wiki.fault = 'slow';
  const slow = echo(ann, 'at last');
  while (wiki.asked.at(-1) !== 'tools/call') await new Promise((resolve) => setTimeout(resolve, 5));
  await expect(echo(bob, 'now')).rejects.toThrow('wiki cannot be reached now: all 1 connections are in use');
  while (wiki.release() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await slow).toBe('at last');
  wiki.fault = 'none';
  expect(await echo(bob, 'later')).toBe('later');
});

it('counts clients without sessions, too', async () => {
  open({ inAll: 2, perOwner: 2 });
  for (const user of ['ann', 'bob', 'cleo', 'dan']) {
    const client = await connectOverFetch(gateway.factory, '2026-07-28', only(user));
    clients.push(client);
    expect(await echo(client, user)).toBe(user);
    expect(gateway.connections()).toBeLessThanOrEqual(2);
  }
});

it('lets the idle client that was unused for longest make way, and none that is busy', () => {
  const clients = new Map(
    [
      ['busy', false],
      ['used', true],
      ['idle', true],
    ].map(([name, idle]) => [name, { idle }]),
  );
  putLast(clients, 'used', { idle: true });
  const take = (max: number) => takeLeastRecent(clients, ({ idle }) => idle === true, max);
  expect(take(4)).toBeUndefined();
  take(3);
  expect([...clients.keys()]).toEqual(['busy', 'used']);
  take(2);
  take(1);
  expect([...clients.keys()]).toEqual(['busy']);
});
