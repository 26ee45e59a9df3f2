import { describeDoorKeys, mcpDoor } from '../../tooling/door-keys.contract.ts';
import { createApi, createMcpEndpoint, createMcpServer, openDoor, silentLog } from '../src/index.ts';

describeDoorKeys('any server', () => ({
  ...mcpDoor,
  server: 'any',
  open: (access) => {
    const factory = createMcpServer({ name: 'any', version: '0', deps: undefined, log: silentLog });
    const mcp = createMcpEndpoint(factory, { log: silentLog, audit: access.audit });
    const api = createApi({ title: 'n', description: 'n', version: '0', routes: [], deps: undefined, log: silentLog });
    return openDoor(api, { mcp, host: '127.0.0.1', port: 0, allowedHosts: [], access, log: silentLog });
  },
}));
