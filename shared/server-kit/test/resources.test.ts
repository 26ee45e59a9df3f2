import { ContextloomError } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineResource } from '../src/resources/resource.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

const templates = defineResource({
  uri: 'memory://event-templates',
  name: 'event-templates',
  title: 'Event templates',
  description: 'Ready-made kinds of events.',
  mimeType: 'application/json',
  variables: z.object({}),
  read: () => ({ text: '["meal"]' }),
});

const trend = defineResource({
  uri: 'memory://trends/{event_type}.svg{?days,user_id}',
  name: 'trend',
  title: 'Trend',
  description: 'How often an event happens, as a picture.',
  mimeType: 'image/svg+xml',
  variables: z.object({
    event_type: z.string(),
    days: z.coerce.number().int().max(366).default(30),
    user_id: z.string().optional(),
  }),
  list: (_bound, { kinds }: Deps) =>
    kinds.map((kind) => ({ variables: { event_type: kind }, name: `trend of ${kind}` })),
  read: ({ event_type, days, user_id }, { kinds }) => {
    if (event_type === 'broken') throw new Error('password=hunter2');
    if (!kinds.includes(event_type))
      throw new ContextloomError('not_found', `there are no events of type ${event_type}`);
    return { blob: Buffer.from(`${SVG}<!--${event_type} ${days} ${user_id}-->`) };
  },
});

interface Deps {
  readonly kinds: readonly string[];
}

const factory = createMcpServer<Deps>({
  name: 'test',
  version: '0',
  operations: [],
  resources: [templates, trend],
  deps: { kinds: ['meal', '会议'] },
  log: silentLog,
});

describe.each([
  ['in memory, 2025-11-25', () => connectInMemory(factory)],
  ['over fetch with a session, 2025-11-25', () => connectOverFetch(factory, '2025-11-25')],
  ['over fetch, 2026-07-28', () => connectOverFetch(factory)],
] as const)('resources as data, %s', (_era, connect) => {
  let test: TestClient;
  afterEach(() => test.close());

  async function readBlob(uri: string): Promise<string> {
    const { contents } = await test.client.readResource({ uri });
    const [content] = contents;
    expect(content).toMatchObject({ uri, mimeType: 'image/svg+xml' });
    return content !== undefined && 'blob' in content ? Buffer.from(content.blob, 'base64').toString() : '';
  }

  it('lists plain resources, the members of templates, and the templates', async () => {
    test = await connect();
    const { resources } = await test.client.listResources();
    expect(resources.map(({ uri, name, mimeType }) => [uri, name, mimeType])).toEqual([
      ['memory://event-templates', 'event-templates', 'application/json'],
      ['memory://trends/meal.svg', 'trend of meal', 'image/svg+xml'],
      ['memory://trends/%E4%BC%9A%E8%AE%AE.svg', 'trend of 会议', 'image/svg+xml'],
    ]);
    const { resourceTemplates } = await test.client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: trend.uri, name: 'trend', title: 'Trend' }]);
  });

  it('reads text and bytes', async () => {
    test = await connect();
    expect(await test.readText('memory://event-templates')).toBe('["meal"]');
    expect(await readBlob('memory://trends/meal.svg')).toBe(`${SVG}<!--meal 30 undefined-->`);
  });

  it('reads variables decoded, and those of the query in any order or none', async () => {
    test = await connect();
    expect(await readBlob('memory://trends/%E4%BC%9A%E8%AE%AE.svg?user_id=%E5%B0%8F%E6%98%8E&days=7')).toContain(
      '会议 7 小明',
    );
  });

  it('names what is wrong with a URI', async () => {
    test = await connect();
    await expect(test.readText('memory://nothing')).rejects.toThrow('there is no resource memory://nothing');
    await expect(test.readText('memory://trends/nap.svg')).rejects.toThrow('there are no events of type nap');
    await expect(test.readText('memory://trends/meal.svg?days=999')).rejects.toThrow('days must be at most 366');
    await expect(test.readText('memory://trends/%FF.svg')).rejects.toThrow('uri must be percent-encoded UTF-8');
    const broken = await test.readText('memory://trends/broken.svg').catch(String);
    expect(broken).toMatch(/memory:\/\/trends\/broken.svg failed inside the server; its log says why\.$/);
  });
});
