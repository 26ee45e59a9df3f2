import { silentLog } from '@contextloom/runtime';
import { createApi, createMcpEndpoint, listenHttp } from '@contextloom/server-kit';
import { describeEndpointKeys, mcpEndpoint } from '@contextloom/testing/endpoint-keys.contract';
import { createServer, makeFolder, openStore, removeFolder, schemes } from './support/memory.ts';

describeEndpointKeys('personal memory', () => ({
  ...mcpEndpoint,
  server: 'personal-memory',
  open: async (access) => {
    const folder = makeFolder();
    const store = openStore(folder, schemes[0]);
    const factory = createServer(store, { userId: undefined });
    const mcp = createMcpEndpoint(factory, { log: silentLog, audit: access.audit });
    const api = createApi({ title: 'n', description: 'n', version: '0', routes: [], deps: undefined, log: silentLog });
    const endpoint = await listenHttp(api, {
      mcp,
      host: '127.0.0.1',
      port: 0,
      allowedHosts: [],
      access,
      log: silentLog,
    });
    return {
      url: endpoint.url,
      close: async () => {
        await endpoint.close();
        store.close();
        removeFolder(folder);
      },
    };
  },
}));
