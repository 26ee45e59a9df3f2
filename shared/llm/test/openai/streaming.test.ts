import { type ScriptedOpenAi, type ScriptedOpenAiOptions, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChatModelSettings, createChatModel } from '../../src/index.ts';

const endpoints: ScriptedOpenAi[] = [];
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.close()));
});

async function open(options: ScriptedOpenAiOptions, settings: Partial<ChatModelSettings> = {}) {
  const endpoint = await startScriptedOpenAi(options);
  endpoints.push(endpoint);
  const { url: baseUrl, apiKey } = endpoint;
  const model = await createChatModel({
    model: 'scripted',
    baseUrl,
    apiKey,
    sleep: async () => undefined,
    ...settings,
  });
  return { endpoint, model };
}

const messages = [{ role: 'user', content: '讲个故事' }] as const;
const story = '从前有座山，山上有座庙，庙里有个老和尚在给小和尚讲故事。'.repeat(4);

/** A call that collects what it is told; `onPiece` is called at each. */
function toRequest(onPiece: () => void = () => undefined) {
  const pieces: string[] = [];
  const onText = (piece: string): void => {
    pieces.push(piece);
    onPiece();
  };
  return { pieces, request: { messages, onText } };
}

describe('an answer that is told as it is written', () => {
  it('comes in pieces that are the whole answer', async () => {
    const { model } = await open({ chat: [{ kind: 'answer', text: story }] });
    const { pieces, request } = toRequest();
    expect(await model.complete(request)).toMatchObject({ text: story, finish: 'stop' });
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe(story);
  });

  it('says that the model refused, or was cut off', async () => {
    const { model } = await open({
      chat: [
        { kind: 'refusal', text: 'No.' },
        { kind: 'answer', text: story },
      ],
    });
    expect(await model.complete(toRequest().request)).toMatchObject({ text: 'No.', finish: 'refused' });
    expect(await model.complete({ ...toRequest().request, maxTokens: 5 })).toMatchObject({ finish: 'length' });
  });

  it('is asked for again when it broke off before its first piece', async () => {
    const { model, endpoint } = await open({ chat: [{ kind: 'cut' }, { kind: 'answer', text: story }] });
    const { pieces, request } = toRequest();
    await model.complete(request);
    expect(pieces.join('')).toBe(story);
    expect(endpoint.requests).toHaveLength(2);
  });

  it('fails when it broke off later, and is not told twice', async () => {
    const { model, endpoint } = await open({ chat: [{ kind: 'answer', text: story, cutAfter: 3 }] });
    const { pieces, request } = toRequest();
    await expect(model.complete(request)).rejects.toMatchObject({ code: 'unavailable' });
    expect(pieces).toHaveLength(2);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('ends at the endpoint, too, when its caller gives up', async () => {
    const { model, endpoint } = await open({ chat: [{ kind: 'hang' }] });
    const caller = new AbortController();
    const answer = model.complete({ ...toRequest().request, signal: caller.signal });
    while (endpoint.open() === 0) await new Promise(setImmediate);
    caller.abort();
    await expect(answer).rejects.toMatchObject({ code: 'unavailable' });
    while (endpoint.open() > 0) await new Promise(setImmediate);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('is given up when its caller goes away in the middle', async () => {
    const { model } = await open({ chat: [{ kind: 'answer', text: story }] });
    const caller = new AbortController();
    const { request } = toRequest(() => caller.abort());
    await expect(model.complete({ ...request, signal: caller.signal })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is taken whole from an endpoint that does not stream', async () => {
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: story } }];
    const body = JSON.stringify({ id: '1', object: 'chat.completion', choices });
    const { model, endpoint } = await open({ chat: [{ kind: 'body', status: 200, body }] });
    const { pieces, request } = toRequest();
    expect(await model.complete(request)).toMatchObject({ text: story, finish: 'stop' });
    expect(pieces).toEqual([story]);
    expect(endpoint.requests[0]?.body.stream).toBe(true);
  });

  it('has to come in time', async () => {
    const { model } = await open({ chat: [{ kind: 'hang' }] }, { timeoutMs: 100, attempts: 1 });
    await expect(model.complete(toRequest().request)).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('images', () => {
  it('are parts of the message that they belong to', async () => {
    const { model, endpoint } = await open({ chat: [{ kind: 'answer', text: 'a cat' }] });
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    await model.complete({ messages: [{ role: 'user', content: '这是什么？', images: [url] }] });
    expect(endpoint.requests[0]?.body.messages?.[0]?.content).toEqual([
      { type: 'text', text: '这是什么？' },
      { type: 'image_url', image_url: { url } },
    ]);
  });
});
