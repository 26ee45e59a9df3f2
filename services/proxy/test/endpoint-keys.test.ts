import { silentLog } from '@contextloom/runtime';
import { createMcpEndpoint, createMcpServer, listenHttp } from '@contextloom/server-kit';
import { describeEndpointKeys } from '@contextloom/testing/endpoint-keys.contract';
import { describe } from '@jest/globals';
import type { ChatMemory } from '../src/memory.ts';
import { createProxyApi } from '../src/proxy-api.ts';
import { startProvider } from './support/provider.ts';

const memory: ChatMemory = {
  recall: async () => ({ state: 'away' }),
  store: () => undefined,
  warmUp: () => undefined,
  close: async () => undefined,
};
const STREAMED = '{"stream":true}';

describe.each([undefined, 'sk-operator'])('with the key %s of the provider', (providerKey) => {
  const toRequest = (key: string | undefined, body = '{}') => ({
    path: '/v1/chat/completions',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined &&
        (providerKey === undefined ? { 'contextloom-key': key } : { authorization: `Bearer ${key}` })),
    },
    body,
  });
  describeEndpointKeys('the proxy', () => ({
    server: 'proxy',
    hasEventStreams: false,
    toRequest,
    openStream: (url, key) => {
      const { path, ...init } = toRequest(key, STREAMED);
      return fetch(`${url}${path}`, { method: 'POST', ...init });
    },
    open: async (access) => {
      const provider = await startProvider();
      provider.answer = ({ body }, response) => {
        if (String(body) !== STREAMED) return response.end('{}');
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n');
      };
      const options = {
        memory,
        providerUrl: `${provider.url}/v1`,
        providerKey,
        userId: 'default',
        stores: false,
        marks: true,
      };
      const api = createProxyApi({ ...options, log: silentLog });
      const factory = createMcpServer({ name: 'proxy', version: '0', deps: undefined, log: silentLog });
      const mcp = createMcpEndpoint(factory, { log: silentLog });
      const entryPoint = await listenHttp(api, {
        mcp,
        host: '127.0.0.1',
        port: 0,
        allowedHosts: [],
        access,
        log: silentLog,
      });
      return {
        url: entryPoint.url,
        close: async () => {
          await entryPoint.close();
          await provider.close();
        },
      };
    },
  }));
});
