import { join } from 'node:path';
import { searchRequestSchema } from '@contextloom/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { startService, type TestService } from '../support/service.ts';
import { derive, embedder } from '../support/stores.ts';

let service: TestService | undefined;
afterEach(() => service?.remove());

/** What another program does to a store while a service runs over it: it makes the index in another way. */
async function rebuildOtherwise(
  { dataDir }: TestService,
  way: Partial<Parameters<typeof openSqliteStore>[0]>,
): Promise<void> {
  const file = join(dataDir, 'knowledge-base.sqlite');
  const store = await openSqliteStore({ file, embedder: embedder.identity, onMismatch: 'rebuild', ...way });
  await store.rebuild(derive);
  await store.close();
}

describe('an index that another program made under a running service', () => {
  it.each([
    [
      'another embedder',
      { embedder: { ...embedder.identity, provider: 'openai', model: 'small' } },
      /^the store was filled by the embedder openai small .* is configured/,
      /dist\/reembed\.js/,
    ],
    [
      'another version',
      { indexVersion: 999 },
      /^the store was indexed by another version of this program \(.*index version 999/,
      /dist\/service\.js --rebuild-index/,
    ],
  ])(
    'by %s is told without path and command, which are for the log (original fault: both went to every caller)',
    async (_name, way, told, command) => {
      service = await startService();
      await service.knowledgeBase.add([{ doc_id: 'd', content: 'green tea', tags: [], metadata: {} }]);
      await rebuildOtherwise(service, way);
      for (const [method, path, body] of [
        ['POST', '/search', { query: 'tea' }],
        ['POST', '/add', { content: 'black tea' }],
        ['GET', '/health', undefined],
      ] as const) {
        const { status, json } = await service.ask(method, path, body);
        expect({ path, status, detail: json.detail }).toEqual({
          path,
          status: 503,
          detail: expect.stringMatching(told),
        });
        expect(json.detail).not.toMatch(/[/\\]|node |--/);
      }
      const searching = service.knowledgeBase.search(searchRequestSchema.parse({ query: 'tea' }));
      const { cause } = (await searching.catch((error: { cause: Error }) => error)) as { cause: Error };
      expect(cause.message).toMatch(command);
      expect(cause.message).toContain(service.dataDir);
    },
  );
});
