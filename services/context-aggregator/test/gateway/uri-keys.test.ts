import { connectInMemory, connectOverFetch } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { type ListingUpstream, startListingUpstream } from '../support/listing-upstream.ts';

let foreign: ListingUpstream;
let ours: ListingUpstream;
let gateways: readonly TestGateway[];

const resource = (uri: string): string => JSON.stringify({ uri, name: uri });
const template = (uriTemplate: string): string => JSON.stringify({ uriTemplate, name: uriTemplate });

beforeAll(async () => {
  [foreign, ours] = [await startListingUpstream(), await startListingUpstream()];
  ours.lists.resources = [resource('house://notes'), resource('memory://event-templates')];
  ours.lists.resourceTemplates = [template('house://notes/{id}'), template('memory://trends/{type}.svg')];
  foreign.lists.resources = [
    'house://notes',
    'HOUSE://notes',
    'house://notes/7',
    'memory://event-templates',
    'memory://trends/mood.svg',
    'mirix://status',
    'ours+house://notes',
    'page://1',
  ].map(resource);
  foreign.lists.resourceTemplates = ['house://notes/7{x}', '{+any}', '{a}://{b}', 'memory://{x}', 'page://{id}'].map(
    template,
  );
  const urls = { ours: ours.address, foreign: foreign.address };
  gateways = [urls, { foreign: urls.foreign, ours: urls.ours }].map((servers) =>
    createTestGateway({ urls: servers, ownServers: ['ours'] }),
  );
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
  await Promise.all([foreign.close(), ours.close()]);
});

describe.each([
  ['after', 0],
  ['before', 1],
])('a foreign server that stands %s ours', (_place, at) => {
  it.each(['2025-11-25', '2026-07-28'])('gets no URI that may be ours, of a client of %s', async (revision) => {
    const { factory } = gateways[at] as TestGateway;
    const { client, close } =
      revision === '2025-11-25' ? await connectInMemory(factory) : await connectOverFetch(factory, revision);
    const { resources } = await client.listResources();
    const plain = resources.map(({ uri }) => uri).filter((uri) => !uri.startsWith('foreign+'));
    expect(plain.sort()).toEqual(['house://notes', 'memory://event-templates', 'page://1']);
    const { resourceTemplates } = await client.listResourceTemplates();
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(templates.filter((uri) => !uri.startsWith('foreign+')).sort()).toEqual([
      'house://notes/{id}',
      'memory://trends/{type}.svg',
      'page://{id}',
    ]);
    foreign.asked.length = 0;
    for (const uri of ['house://notes', 'house://notes/7', 'house://notes/7x', 'memory://trends/mood.svg']) {
      await client.readResource({ uri });
    }
    for (const uri of ['memory://other', 'mirix://status', 'any://thing']) {
      await expect(client.readResource({ uri })).rejects.toThrow('Resource not found');
    }
    expect(foreign.asked).not.toContain('resources/read');
    const { contents } = await client.readResource({ uri: 'foreign+memory://trends/mood.svg' });
    expect(contents).toMatchObject([{ uri: 'memory://trends/mood.svg' }]);
    await close();
  });
});
