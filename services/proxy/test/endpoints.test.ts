import { setTimeout as sleep } from 'node:timers/promises';
import { localPrincipal } from '@contextloom/access';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProxyOptions } from '../src/request-headers.ts';
import { entryPoints } from './support/endpoints.ts';
import { type Provider, startProvider } from './support/provider.ts';
import { startProxy, type TriedProxy } from './support/start-proxy.ts';

const BLOCK = 'Not said by the user:\n<<a>>\n- Ann likes "tea".\n<</a>>';
const json = { 'content-type': 'application/json' };
const stream = { 'content-type': 'text/event-stream' };
const ann = { ...localPrincipal, name: 'ann', users: ['ann'] };

let provider: Provider;
let proxy: TriedProxy;
beforeEach(async () => {
  provider = await startProvider();
  proxy = await startProxy(provider.url);
  proxy.gives = { beside: `${BLOCK}\n`, state: 'complete' };
});
afterEach(async () => {
  await proxy.close();
  await provider.close();
});

async function restart(options: Partial<ProxyOptions>, principal = localPrincipal): Promise<void> {
  await proxy.close();
  proxy = await startProxy(provider.url, options, principal);
}

describe.each(Object.entries(entryPoints))('the door of %s', (_name, entryPoint) => {
  const { path, toBody, toolStep, textType, picture } = entryPoint;
  const post = (body: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${proxy.url}/v1${path}`, {
      method: 'POST',
      body,
      headers: { ...json, ...headers },
      ...(signal && { signal }),
    });
  const bodyOf = (at = 0): string => String(provider.seen[at]?.body);
  const user = (content: unknown) => ({ role: 'user', content });
  const words = (text: string) => ({ type: textType, text });
  const earlier = [user('Who is Kit?'), { role: 'assistant', content: 'Your son.' }];
  const question = user('What does he eat?');
  const block = words(BLOCK);
  const whenStored = async () => {
    for (let tries = 0; proxy.stored.length === 0 && tries < 500; tries += 1) await sleep(10);
    return proxy.stored.map(({ said }) => said);
  };

  it('puts the block with the newest message of the user; every byte before it stays', async () => {
    const more = { ...entryPoint.system('Be\tbrief.'), tools: [{ name: 'f' }], seed: 7 };
    const turns = 'messages' in more ? [...Object(more).messages, ...earlier, question] : [...earlier, question];
    const body = toBody(turns, more).replace('brief.', 'bri\\u0065f.');
    const response = await post(body);
    expect(response.headers.get('contextloom-memory')).toBe('complete');
    const [before = '', after = ''] = body.split(JSON.stringify('What does he eat?'));
    expect(bodyOf().startsWith(before)).toBe(true);
    expect(bodyOf().endsWith(after)).toBe(true);
    const content = JSON.parse(bodyOf().slice(before.length, bodyOf().length - after.length));
    expect(content).toEqual(
      path === '/messages' ? [words('What does he eat?'), block] : `What does he eat?\n\n${BLOCK}`,
    );
    expect(proxy.recalled).toMatchObject([{ said: [...earlier, question], hasNewest: true }]);
  });

  it('adds a part where the message is in parts, pictures among them', async () => {
    const body = toBody([...earlier, user([words('Is this Kit?'), picture])]);
    await post(body);
    expect(bodyOf()).toBe(body.replace(JSON.stringify(picture), `${JSON.stringify(picture)},${JSON.stringify(block)}`));
    await post(toBody([user('Look:'), { role: 'assistant', content: 'Where?' }, user([picture])]));
    expect(bodyOf(1)).toContain(`${JSON.stringify(picture)},${JSON.stringify(block)}`);
  });

  it('keeps the block with the question while tools are used: the request before is the beginning of the next', async () => {
    await post(toBody([...earlier, question]));
    await post(toBody([...earlier, question, ...toolStep]));
    const end = bodyOf().length - ']}'.length;
    expect(bodyOf(1).slice(0, end)).toBe(bodyOf().slice(0, end));
    expect(bodyOf(1).slice(end)).toBe(`,${JSON.stringify(toolStep).slice(1, -1)}]}`);
  });

  it('goes on as it came where only results of tools are sent', async () => {
    const body = toBody(toolStep);
    await post(body);
    expect(bodyOf()).toBe(body);
    expect(proxy.recalled).toMatchObject([{ hasNewest: false }]);
  });

  it('sends in the next turn what it sent in this one, up to the words of the user', async () => {
    await post(toBody([...earlier, question]));
    await post(toBody([...earlier, question, { role: 'assistant', content: 'Soup.' }, user('And Ros?')]));
    const shared = bodyOf().indexOf('What does he eat?') + 'What does he eat?'.length;
    const sharedNext = bodyOf(1).indexOf('What does he eat?') + 'What does he eat?'.length;
    const strip = (text: string) => text.replaceAll(/\[\{"type":"text","text":("What does he eat\?)/gu, '$1');
    expect(strip(bodyOf(1).slice(0, sharedNext))).toBe(strip(bodyOf().slice(0, shared)));
    expect(bodyOf(1).split(JSON.stringify('And Ros?').slice(0, -1))[0]).not.toContain('Ann likes');
  });

  it('puts a system prompt in front of that of the request, or behind it', async () => {
    proxy.gives = { before: 'You are Marlow.', after: 'About Ann.', beside: BLOCK, state: 'partial' };
    const more = entryPoint.system('Be brief.');
    const response = await post(toBody('messages' in more ? [...Object(more).messages, question] : [question], more));
    expect(response.headers.get('contextloom-memory')).toBe('partial');
    const system = JSON.stringify('You are Marlow.\n\n---\n\nBe brief.\n\n---\n\nAbout Ann.');
    expect(bodyOf()).toContain(system);
    await post(toBody([question]));
    expect(bodyOf(1)).toMatch(/You are Marlow\./u);
  });

  it.each([{ state: 'away' } as const, { state: 'complete' } as const])(
    'leaves the request as it came without memories: %j',
    async (gives) => {
      proxy.gives = gives;
      const body = toBody([...earlier, question]).replace(',', ' ,\n');
      const response = await post(body);
      expect([bodyOf(), response.headers.get('contextloom-memory')]).toEqual([body, gives.state]);
    },
  );

  it.each(['hello', '{"messages":[]}', '{"messages":7,"input":7}', '{}'])(
    'leaves what is no chat to the provider: %s',
    async (body) => {
      const response = await post(body);
      expect([bodyOf(), response.headers.get('contextloom-memory')]).toEqual([body, 'off']);
    },
  );

  it('does not take for words of the user what a program writes into its messages', async () => {
    const reminder = words('<system-reminder>\nThe list of todos is empty.\n</system-reminder>');
    await post(toBody([user([reminder, words('Who is Kit?')]), ...toolStep.slice(0, -1), user([reminder])]));
    expect(proxy.recalled).toMatchObject([{ said: [user('Who is Kit?')] }]);
  });

  it('answers byte for byte in one piece and in a stream, and stores what was said without the block', async () => {
    const text = JSON.stringify(entryPoint.toAnswer('Soup.')).replace(':', ' : ');
    provider.answer = (_request, response) => response.writeHead(200, json).end(text);
    expect(await (await post(toBody([...earlier, question]))).text()).toBe(text);
    const said = [...earlier, question, { role: 'assistant', content: 'Soup.' }];
    expect(await whenStored()).toEqual([said]);
    proxy.stored.length = 0;
    const events = entryPoint.toEvents('So', 'up.').join('');
    provider.answer = (_request, response) => response.writeHead(200, stream).end(events);
    expect(await (await post(toBody([...earlier, question], { stream: true }))).text()).toBe(events);
    expect(await whenStored()).toEqual([said]);
  });

  it('stores no call of tools, no error, and nothing that a header asks not to store', async () => {
    provider.answer = (_request, response) => response.writeHead(200, json).end(JSON.stringify(entryPoint.toolAnswer));
    expect(await (await post(toBody([question]))).json()).toEqual(entryPoint.toolAnswer);
    for (const status of [400, 429, 529]) {
      provider.answer = (_request, response) =>
        response.writeHead(status, { 'Retry-After': '7' }).end(entryPoint.error);
      const response = await post(toBody([question]));
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7']);
      expect(await response.text()).toBe(entryPoint.error);
    }
    provider.answer = (_request, response) =>
      response.writeHead(200, json).end(JSON.stringify(entryPoint.toAnswer('Soup.')));
    await (await post(toBody([question]), { 'contextloom-store': 'false' })).text();
    expect(proxy.stored).toEqual([]);
  });

  it('stores what was said so far when the client leaves half-way, and ends the request to the provider', async () => {
    const leaving = new AbortController();
    provider.answer = (_request, response) =>
      response.writeHead(200, stream).write(entryPoint.toEvents('So').slice(0, -1).join(''));
    const response = await post(toBody([question], { stream: true }), {}, leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    await provider.seen[0]?.closed;
    expect(await whenStored()).toEqual([[question, { role: 'assistant', content: 'So' }]]);
  });

  it('says in the form of its clients that the provider is away', async () => {
    await restart({ providerUrl: 'http://127.0.0.1:9/v1' });
    const response = await post(toBody([question]));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'contextloom_proxy', code: 'unavailable', message: expect.any(String) },
    });
  });

  it('speaks for the user whom the body names, as far as the key reaches', async () => {
    await post(toBody([question], entryPoint.toUser('bob')));
    expect(proxy.recalled[0]?.of.userId).toBe('bob');
    await restart({}, ann);
    expect((await post(toBody([question], entryPoint.toUser('bob')))).status).toBe(403);
    expect((await post(toBody([question]), { 'contextloom-user': 'bob' })).status).toBe(403);
    expect([proxy.recalled, provider.seen.length]).toEqual([[], 1]);
    await post(toBody([question]));
    expect(proxy.recalled[0]?.of.userId).toBe('ann');
  });

  it.each([
    ['authorization', { authorization: 'Bearer k' }, { authorization: 'Bearer sk-2' }],
    ['x-api-key', { 'x-api-key': 'k' }, { 'x-api-key': 'sk-2' }],
    ['both', { authorization: 'Bearer k', 'x-api-key': 'other' }, { 'x-api-key': 'sk-2' }],
  ])('reads its own key where the proxy has that of the provider, which never gets it: %s', async (_how, key, sent) => {
    await restart({ providerKey: 'sk-2' });
    await post(toBody([question]), key as Record<string, string>);
    expect(proxy.shown).toEqual(['Bearer k']);
    const { authorization, 'x-api-key': apiKey } = provider.seen[0]?.headers ?? {};
    expect({ ...(authorization && { authorization }), ...(apiKey && { 'x-api-key': apiKey }) }).toEqual(sent);
  });

  it('passes the key of the provider on, in the header that it came in', async () => {
    await post(toBody([question]), { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01', 'contextloom-key': 'k' });
    expect(proxy.shown).toEqual(['Bearer k']);
    expect(provider.seen[0]?.headers).toMatchObject({ 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' });
    expect(provider.seen[0]?.headers).not.toHaveProperty('contextloom-key');
  });

  it('refuses what is too large, and paths that lead elsewhere, before the provider hears of it', async () => {
    const large = await post(`{"a":"${'a'.repeat(33 * 1_024 * 1_024)}"}`);
    expect(large.status).toBe(413);
    const elsewhere = await fetch(`${proxy.url}/v1${path}/..%2f..%2fadmin`, { method: 'POST', body: '{}' });
    expect(elsewhere.status).toBe(400);
    expect(provider.seen).toEqual([]);
  });
});

describe('beside the door of messages', () => {
  it.each(['/messages/count_tokens', '/messages/batches'])('%s goes on untouched', async (path) => {
    const body = '{ "model":"claude", "messages":[{"role":"user","content":"Hi"}] }';
    const response = await fetch(`${proxy.url}/v1${path}`, { method: 'POST', body, headers: json });
    expect([String(provider.seen[0]?.body), provider.seen[0]?.url]).toEqual([body, `/v1${path}`]);
    expect([response.headers.get('contextloom-memory'), proxy.recalled]).toEqual(['off', []]);
  });

  it.each(['user_0a1b_account_2c_session_3d4e', '{"device_id":"d","session_id":"s"}'])(
    'an id of a session names no user: %s',
    async (user_id) => {
      const body = JSON.stringify({ metadata: { user_id }, messages: [{ role: 'user', content: 'Hi' }] });
      const response = await fetch(`${proxy.url}/v1/messages`, { method: 'POST', body, headers: json });
      expect([response.status, proxy.recalled[0]?.of.userId]).toEqual([200, 'default']);
    },
  );
});
