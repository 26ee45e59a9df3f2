import { silentLog } from '@contextloom/runtime';
import { describeEndpointKeys, mcpEndpoint } from '@contextloom/testing/endpoint-keys.contract';
import { createApi } from '../src/http/api.ts';
import { listenHttp } from '../src/http/listen-http.ts';
import { createMcpEndpoint } from '../src/http/mcp-endpoint.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

describeEndpointKeys('any server', () => ({
  ...mcpEndpoint,
  server: 'any',
  open: (access) => {
    const factory = createMcpServer({ name: 'any', version: '0', deps: undefined, log: silentLog });
    const mcp = createMcpEndpoint(factory, { log: silentLog, audit: access.audit });
    const api = createApi({ title: 'n', description: 'n', version: '0', routes: [], deps: undefined, log: silentLog });
    return listenHttp(api, { mcp, host: '127.0.0.1', port: 0, allowedHosts: [], access, log: silentLog });
  },
}));
