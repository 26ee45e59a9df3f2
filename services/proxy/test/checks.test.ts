import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkProxy, type ProxyCheckOptions } from '../src/checks.ts';
import { type Provider, startProvider } from './support/provider.ts';

let provider: Provider;
let closed: string;
beforeAll(async () => {
  provider = await startProvider();
  const gone = await startProvider();
  closed = gone.url;
  await gone.close();
});
beforeEach(() => {
  provider.answer = (_request, response) => void response.end('{"data":[]}');
});
afterAll(() => provider.close());

const check = async (config: Partial<ProxyCheckOptions['config']>) => {
  const options = { providerUrl: `${provider.url}/v1`, providerKey: undefined, aggregatorUrl: undefined, ...config };
  const entry = { url: options.aggregatorUrl ?? closed, headers: {} };
  const checks = await checkProxy({ config: options, entry, log: silentLog });
  return Object.fromEntries(checks.map(({ name, ...found }) => [name, found]));
};

describe('the checks of the proxy', () => {
  it('ask the provider that was chosen for its models, with its key', async () => {
    expect(await check({ providerKey: 'sesame' })).toEqual({
      provider: { status: 'ok', detail: `${provider.url}/v1 answers` },
      memory: { status: 'off', detail: 'the proxy starts an aggregator of its own' },
    });
    expect(provider.seen.at(-1)).toMatchObject({ url: '/v1/models', headers: { authorization: 'Bearer sesame' } });
  });

  it('send nothing to the provider that nobody chose', async () => {
    expect(await check({ providerUrl: 'https://api.openai.com/v1' })).toMatchObject({ provider: { status: 'off' } });
  });

  it.each([
    [401, 'sesame', 'failed', /refuses the key in PROXY_PROVIDER_KEY/],
    [401, undefined, 'ok', /answers$/],
    [503, undefined, 'failed', /answers 503/],
  ])('judge a provider that answers %d to the key %s as %s', async (code, providerKey, status, detail) => {
    provider.answer = (_request, response) => void response.writeHead(code).end('{}');
    const { provider: found } = await check({ providerKey });
    expect(found).toEqual({ status, detail: expect.stringMatching(detail) });
  });

  it('name the settings of what cannot be reached', async () => {
    expect(await check({ providerUrl: `${closed}/v1`, aggregatorUrl: `${closed}/mcp` })).toEqual({
      provider: { status: 'failed', detail: expect.stringContaining('PROXY_PROVIDER_URL') },
      memory: { status: 'failed', detail: expect.stringContaining('AGGREGATOR_URL') },
    });
  });
});
