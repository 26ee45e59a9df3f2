import { type Listening, listen } from '@contextloom/server-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeProxy, findProxy } from '../../src/doctor/find-proxy.ts';

let endpoint: Listening;
/** What answers at the address of the proxy. */
let body: string;
const { signal } = new AbortController();

beforeAll(async () => {
  endpoint = await listen((_request, response) => void response.end(body), { host: '127.0.0.1', port: 0 });
});
afterAll(() => endpoint.close());

const find = (host?: string) => findProxy({ PROXY_PORT: new URL(endpoint.url).port, PROXY_HOST: host }, { signal });

describe('the proxy of this machine', () => {
  it.each([undefined, '0.0.0.0'])('runs where it says so at the address of its settings (%s)', async (host) => {
    body = '{"status":"running","service":"proxy"}';
    const state = await find(host);
    expect(state).toEqual({ status: 'running', url: `${endpoint.url}/v1` });
    expect(describeProxy(state)).toContain(state.url);
  });

  it.each(['{"status":"running"}', '<html>'])('is nothing else that listens there: %s', async (text) => {
    body = text;
    expect(await find()).toMatchObject({ status: 'stopped' });
  });

  it('does not run where nothing listens', async () => {
    const gone = await listen(() => undefined, { host: '127.0.0.1', port: 0 });
    await gone.close();
    const state = await findProxy({ PROXY_PORT: new URL(gone.url).port }, { signal });
    expect(state.status).toBe('stopped');
    expect(describeProxy(state)).toContain('contextloom proxy starts it');
  });
});
