import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Running, serverFile, serviceFile, start, untilListening } from './support/children.ts';
import { describeEachEngine, type StoreSite } from './support/engines.ts';
import { ask } from './support/service.ts';

const EACH = 100;
// Over a Chroma server one of the two writes, and the other answers through it.
describeEachEngine('the HTTP service and an MCP server over one folder', ({ openSite }) => {
  let site: StoreSite;
  let service: Running;
  let url: string;
  let client: Client;

  beforeEach(async () => {
    site = await openSite();
    service = start(serviceFile, [], { ...site.env, KB_PORT: '0' });
    url = await untilListening(service);
    client = new Client({ name: 'test', version: '0' });
    const env = { ...site.env, LOG_LEVEL: 'error' };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [serverFile], env }));
    while ((await ask(url, 'GET', '/stats')).status !== 200);
    while ((await client.callTool({ name: 'get_stats', arguments: {} })).isError === true);
  });
  afterEach(async () => {
    await client.close();
    await service.stop();
    await site.remove();
  });

  it('both write at once, and nothing is lost', async () => {
    const numbers = Array.from({ length: EACH }, (_, at) => at);
    const overHttp = numbers.map((at) =>
      ask(url, 'POST', '/add', { doc_id: `http-${at}`, content: `over HTTP ${at}` }),
    );
    const overMcp = numbers.map((at) =>
      client.callTool({ name: 'add_document', arguments: { doc_id: `mcp-${at}`, content: `over MCP ${at}` } }),
    );
    const [answers, results] = await Promise.all([Promise.all(overHttp), Promise.all(overMcp)]);
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(results.map(({ isError }) => isError ?? false)).toEqual(numbers.map(() => false));

    expect((await ask(url, 'GET', '/stats')).json.stats).toMatchObject({
      document_count: 2 * EACH,
      vector_count: 2 * EACH,
    });
    for (const at of numbers) {
      const read = await client.callTool({ name: 'get_document', arguments: { doc_id: `http-${at}` } });
      expect(read.isError ?? false).toBe(false);
      expect((await ask(url, 'GET', `/documents/mcp-${at}`)).status).toBe(200);
    }
  });

  it('under one id both write whole documents, and each write counts as one version', async () => {
    const numbers = Array.from({ length: 20 }, (_, at) => at);
    await Promise.all(
      numbers.flatMap((at) => [
        ask(url, 'POST', '/add', { doc_id: 'one', content: `http ${at}`, tags: [`http ${at}`] }),
        client.callTool({
          name: 'add_document',
          arguments: { doc_id: 'one', content: `mcp ${at}`, tags: [`mcp ${at}`] },
        }),
      ]),
    );
    const { document } = (await ask(url, 'GET', '/documents/one')).json;
    expect(document.version).toBe(2 * numbers.length);
    expect(document.tags).toEqual([document.content]);
    expect((await ask(url, 'GET', '/stats')).json.stats.document_count).toBe(1);
  });

  it('go on with one of them when the other is killed, with all that was acknowledged', async () => {
    const add = (id: string) =>
      client.callTool({ name: 'add_document', arguments: { doc_id: id, content: `number ${id}` } });
    const isStored = async (id: string): Promise<boolean> => (await add(id)).isError !== true;
    expect((await ask(url, 'POST', '/add', { doc_id: 'first', content: 'over HTTP' })).status).toBe(200);
    expect(await isStored('second')).toBe(true);
    service.child.kill('SIGKILL');
    await service.ended;
    while (!(await isStored('third')));
    for (const id of ['first', 'second', 'third']) {
      const read = await client.callTool({ name: 'get_document', arguments: { doc_id: id } });
      expect(read.isError ?? false).toBe(false);
    }
  });
});
