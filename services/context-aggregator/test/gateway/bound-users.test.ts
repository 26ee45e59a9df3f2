import { silentLog } from '@contextloom/runtime';
import { createMcpServer, defineOperation, defineResource, type OperationContext } from '@contextloom/server-kit';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createTestGateway, only, type RunningUpstream, startUpstream, type TestGateway } from '../support/gateway.ts';

/** A server of the house whose data belongs to users. */
const createDiary = createMcpServer({
  name: 'diary',
  version: '1',
  operations: [
    defineOperation({
      name: 'read_diary',
      title: 'Read a diary',
      description: 'Answers whose diary it is.',
      effect: 'reads',
      scope: 'user',
      input: z.object({ user_id: z.string(), page: z.number().default(1) }),
      output: z.object({ owner: z.string() }),
      run: async ({ user_id }, _context: OperationContext<object>) => ({ owner: user_id }),
    }),
  ],
  resources: [
    defineResource({
      uri: 'diary://{user_id}',
      name: 'diary',
      title: 'Diary',
      description: 'The diary of a user.',
      mimeType: 'text/plain',
      variables: z.object({ user_id: z.string() }),
      list: async (bound) =>
        ['ann', 'bob']
          .filter((user) => bound['user_id'] === undefined || bound['user_id'] === user)
          .map((user) => ({ variables: { user_id: user }, name: user })),
      read: ({ user_id }) => ({ text: `of ${user_id}` }),
    }),
  ],
  deps: {},
  log: silentLog,
});

let upstream: RunningUpstream;
let gateway: TestGateway;
let bound: readonly TestClient[];
let unbound: TestClient;
beforeAll(async () => {
  upstream = await startUpstream(createDiary);
  gateway = createTestGateway({ urls: { diary: upstream.address }, ownServers: ['diary'] });
  unbound = await connectInMemory(gateway.factory);
  bound = [
    await connectInMemory(gateway.factory, only('ann')),
    await connectOverFetch(gateway.factory, '2025-11-25', only('ann')),
    await connectOverFetch(gateway.factory, '2026-07-28', only('ann')),
  ];
});
afterAll(async () => {
  for (const client of [unbound, ...bound]) await client.close();
  await gateway.close();
  await upstream.close();
});

const findSchema = async (client: TestClient) =>
  (await client.listTools()).tools.find(({ name }) => name === 'diary__read_diary')?.inputSchema;

describe.each([0, 1, 2])('a caller that is bound to one user, as client %#', (index) => {
  const client = () => bound[index] as TestClient;

  it('sees tools of the house without user_id, and calls them without it', async () => {
    expect(Object.keys((await findSchema(client()))?.properties ?? {})).toEqual(['page']);
    expect((await client().callTool('diary__read_diary')).structured).toEqual({ owner: 'ann' });
    expect((await client().callTool('diary__read_diary', { user_id: 'ann' })).structured).toEqual({ owner: 'ann' });
    expect(await client().codeOf('diary__read_diary', { user_id: 'bob' })).toBe('forbidden');
  });

  it('sees its own resources of the house alone', async () => {
    const { resources } = await client().client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['diary://ann']);
  });
});

it('a caller that reaches all users names one', async () => {
  expect(Object.keys((await findSchema(unbound))?.properties ?? {})).toEqual(['user_id', 'page']);
  expect((await unbound.callTool('diary__read_diary', { user_id: 'bob' })).structured).toEqual({ owner: 'bob' });
});
