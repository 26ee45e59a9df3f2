import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ListKind } from '../../src/gateway/messages/provider.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { type ListingUpstream, startListingUpstream } from '../support/listing-upstream.ts';

const ODD_NAMES = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', 'then', 'null', '', 'a b'];

const sound = (name: string): Record<ListKind, string> => ({
  tools: JSON.stringify({ name, inputSchema: { type: 'object' } }),
  prompts: JSON.stringify({ name }),
  resources: JSON.stringify({ uri: `note://${name}`, name }),
  resourceTemplates: JSON.stringify({ uriTemplate: `page://${name}/{id}`, name }),
});

const kinds = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

let odd: ListingUpstream;
let quiet: ListingUpstream;
let gateway: TestGateway;
let clients: readonly TestClient[];

beforeAll(async () => {
  [odd, quiet] = [await startListingUpstream(), await startListingUpstream()];
  for (const kind of kinds) quiet.lists[kind] = [sound('quiet')[kind]];
  gateway = createTestGateway({ urls: { odd: odd.address, quiet: quiet.address } });
  clients = [
    await connectInMemory(gateway.factory),
    await connectOverFetch(gateway.factory, '2025-11-25'),
    await connectOverFetch(gateway.factory, '2026-07-28'),
  ];
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await gateway.close();
  await Promise.all([odd.close(), quiet.close()]);
});

/** Names and URIs of all lists as a client sees them; its SDK refuses a list with an entry that is none. */
async function listAll({ client }: TestClient) {
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  return {
    tools: tools.map(({ name }) => name),
    prompts: prompts.map(({ name }) => name),
    resources: resources.map(({ uri }) => uri),
    resourceTemplates: resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  };
}

/** Uses what a server has that lists nothing odd. */
async function useQuiet({ client }: TestClient): Promise<void> {
  await client.callTool({ name: 'quiet__quiet', arguments: {} });
  await client.getPrompt({ name: 'quiet__quiet' });
  await client.readResource({ uri: 'note://quiet' });
  await client.readResource({ uri: 'page://quiet/7' });
}

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** What a field can be that ought to be a text, an object or a list. */
const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...ODD_NAMES), fc.constant({ toString: 1 }));
const likeItem = fc.record(
  {
    name: fc.oneof(fc.constantFrom(...ODD_NAMES), anyValue),
    uri: anyValue,
    uriTemplate: fc.oneof(fc.constantFrom('{', '}', '{a', 'x://{}', 'x://{+a,b*}'), anyValue),
    inputSchema: fc.oneof(fc.constant({ type: 'object' }), anyValue, fc.constant({ type: 'object', $schema: 7 })),
    outputSchema: fc.oneof(fc.constant({ type: 'array' }), anyValue),
    annotations: fc.oneof(fc.constant({ readOnlyHint: true }), anyValue),
    arguments: fc.oneof(fc.array(anyValue, { maxLength: 2 }), anyValue),
    title: anyValue,
    description: anyValue,
    icons: fc.oneof(fc.array(anyValue, { maxLength: 2 }), anyValue),
    execution: anyValue,
    size: anyValue,
    mimeType: anyValue,
    _meta: anyValue,
  },
  { requiredKeys: [] },
);
const anyItem = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  likeItem.map((value) => JSON.stringify(value)),
  fc.constantFrom('null', '[]', '""', '{"__proto__":{"name":"x"}}', deep(10), deep(20_000)),
  fc.constant(
    `{"name":"deep","uri":"deep://","uriTemplate":"deep://","inputSchema":{"type":"object","a":${deep(9_000)}}}`,
  ),
);

describe('what an upstream lists', () => {
  it('costs that upstream alone, whatever shape its entries have', async () => {
    const lists = fc.record({
      tools: fc.array(anyItem, { maxLength: 8 }),
      prompts: fc.array(anyItem, { maxLength: 8 }),
      resources: fc.array(anyItem, { maxLength: 8 }),
      resourceTemplates: fc.array(anyItem, { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(lists, async (listed) => {
        for (const kind of kinds) odd.lists[kind] = [sound('first')[kind], ...listed[kind], sound('last')[kind]];
        for (const client of clients) {
          const shown = await listAll(client);
          expect(shown.tools).toEqual(
            expect.arrayContaining(['build_prompt_with_context', 'quiet__quiet', 'odd__first', 'odd__last']),
          );
          expect(shown.prompts).toEqual(expect.arrayContaining(['quiet__quiet', 'odd__first', 'odd__last']));
          expect(shown.resources).toEqual(expect.arrayContaining(['note://quiet', 'note://first', 'note://last']));
          expect(shown.resourceTemplates).toEqual(
            expect.arrayContaining(['page://quiet/{id}', 'page://first/{id}', 'page://last/{id}']),
          );
          await useQuiet(client);
          await client.client.callTool({ name: 'odd__last', arguments: {} });
        }
      }),
      { numRuns: 6 },
    );
  });

  it('is offered and called under the names that objects have by themselves', async () => {
    const named = ODD_NAMES.filter((name) => name !== '');
    for (const kind of kinds) odd.lists[kind] = named.map((name) => sound(name)[kind]);
    for (const client of clients) {
      const shown = await listAll(client);
      const names = named.map((name) => `odd__${name.replaceAll(' ', '_')}`);
      expect(shown.tools).toEqual(expect.arrayContaining(names));
      expect(shown.prompts).toEqual(expect.arrayContaining(names));
      for (const [at, name] of names.entries()) {
        const { content } = await client.client.callTool({ name, arguments: {} });
        expect(content).toEqual([{ type: 'text', text: named[at] }]);
      }
      await useQuiet(client);
    }
  });

  it('is left out where it is no list', async () => {
    for (const listed of ['null', '{}', '7']) {
      for (const kind of kinds) odd.lists[kind] = [`null],"x":[${listed}`];
      for (const client of clients) {
        await listAll(client);
        await useQuiet(client);
      }
    }
  });
});
