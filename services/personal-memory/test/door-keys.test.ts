import { silentLog } from '@contextloom/runtime';
import { createApi, createMcpEndpoint, openDoor } from '@contextloom/server-kit';
import { describeDoorKeys, mcpDoor } from '@contextloom/testing/door-keys.contract';
import { createServer, makeFolder, openStore, removeFolder, schemes } from './support/memory.ts';

describeDoorKeys('personal memory', () => ({
  ...mcpDoor,
  server: 'personal-memory',
  open: async (access) => {
    const folder = makeFolder();
    const store = openStore(folder, schemes[0]);
    const factory = createServer(store, { userId: undefined });
    const mcp = createMcpEndpoint(factory, { log: silentLog, audit: access.audit });
    const api = createApi({ title: 'n', description: 'n', version: '0', routes: [], deps: undefined, log: silentLog });
    const door = await openDoor(api, { mcp, host: '127.0.0.1', port: 0, allowedHosts: [], access, log: silentLog });
    return {
      url: door.url,
      close: async () => {
        await door.close();
        store.close();
        removeFolder(folder);
      },
    };
  },
}));
