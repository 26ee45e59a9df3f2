import { connectInMemory } from '@contextloom/testing';
import type { RecordedBody, ScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalService, startLocalService } from '../../knowledge-base/test/support/local-service.ts';
import {
  isKeeping,
  openScriptedService,
  type Scripted,
  say,
  startScriptedChat,
  toModelSettings,
} from './support/chat.ts';
import { newUser, openTestServer, openTestStore } from './support/service.ts';

let service: LocalService | undefined;
const endpoints: ScriptedOpenAi[] = [];
beforeAll(async () => {
  service = await startLocalService();
});
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.close()));
});
afterAll(() => service?.stop());

const USERS = 5;
const CONVERSATIONS = 100;
/** Those with a second turn, which repeats the first to the model. */
const GO_ON = 20;
const mark = (user: number, conversation: number): string => `<owner ${user}/${conversation}>`;

interface Owner {
  readonly user: number;
  readonly conversation: number;
}

const readOwners = (text: string): readonly Owner[] =>
  [...text.matchAll(/<owner (\d+)\/(\d+)>/gu)].map(([, user, one]) => ({
    user: Number(user),
    conversation: Number(one),
  }));

const textsOf = ({ messages = [] }: RecordedBody): readonly string[] => messages.map(({ content }) => String(content));

/** Whose message a request is about, and whose words it holds besides. */
function readRequest(body: RecordedBody) {
  const texts = textsOf(body);
  const last = texts.at(-1) ?? '';
  const [said] = readOwners(last.split('The user says:\n').at(-1) ?? '');
  if (said === undefined) throw new Error('a message without its mark');
  return { said, history: texts.slice(1, -1).flatMap(readOwners), memories: readOwners(last) };
}

/** Answers with the mark of whoever asks, and keeps a memory with it. */
const echoing: Scripted = {
  says: (body) => {
    const { user, conversation } = readRequest(body).said;
    return { kind: 'answer', text: `For ${mark(user, conversation)}.` };
  },
  keeps: (body) => {
    const { user, conversation } = readRequest(body).said;
    return [{ type: 'semantic', content: `${mark(user, conversation)} likes tea`, context: null, importance: 5 }];
  },
  env: { LLM_CONCURRENCY: '64' },
};

describe('a hundred conversations at once', () => {
  it('of several users: no word of one reaches another, or the history of another conversation', async () => {
    const { memory, endpoint } = await openScriptedService(service?.url ?? '', echoing);
    endpoints.push(endpoint);
    const users = Array.from({ length: USERS }, newUser);
    const talk = async (at: number): Promise<void> => {
      const user = at % USERS;
      for (const turn of at < GO_ON ? [1, 2] : [1]) {
        const message = `${mark(user, at)} turn ${turn}: what tea do I like?`;
        const { response, updates } = await say(memory, users[user] ?? '', message, { conversation: String(at) });
        expect(response).toBe(`For ${mark(user, at)}.`);
        expect(updates).toMatchObject([{ shown: `${mark(user, at)} likes tea` }]);
      }
    };
    await Promise.all(Array.from({ length: CONVERSATIONS }, (_, at) => talk(at)));
    const asked = endpoint.requests.filter(({ body }) => !isKeeping(body)).map(({ body }) => readRequest(body));
    expect(asked).toHaveLength(CONVERSATIONS + GO_ON);
    for (const { said, history, memories } of asked) {
      expect(new Set(memories.map(({ user }) => user))).toEqual(new Set([said.user]));
      for (const owner of history) expect(owner).toEqual(said);
    }
    expect(asked.filter(({ history }) => history.length > 0)).toHaveLength(GO_ON);
    expect(asked.filter(({ memories }) => memories.length > 1).length).toBeGreaterThan(0);
    for (const [user, id] of users.entries()) {
      expect((await memory.count(id)).semantic).toBe(CONVERSATIONS / USERS);
      const kept = await memory.recall(id, { query: 'likes tea', limit: 50, isRevealing: false });
      expect(new Set(kept.flatMap(({ content }) => readOwners(content)).map((owner) => owner.user))).toEqual(
        new Set([user]),
      );
    }
  });

  it('stop the calls to the model of those who give up, and of no others', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const endpoint = await startScriptedChat({ says: () => ({ kind: 'answer', text: 'At last.', until: gate }) });
    endpoints.push(endpoint);
    const env = { ...toModelSettings(endpoint), LLM_CONCURRENCY: '64' };
    const { factory } = await openTestServer(newUser(), { store: openTestStore(service?.url ?? ''), env });
    const { client, close } = await connectInMemory(factory);
    const caller = new AbortController();
    const ask = (at: number, options: { signal?: AbortSignal } = {}) =>
      client.callTool(
        { name: 'memory_chat', arguments: { message: `hello ${at}`, memorizing: false, conversation_id: String(at) } },
        options,
      );
    const patient = [1, 2, 3].map((at) => ask(at));
    const impatient = [4, 5, 6, 7].map((at) => ask(at, { signal: caller.signal }));
    const ended = Promise.allSettled(impatient);
    while (endpoint.open() < 7) await new Promise(setImmediate);
    caller.abort();
    expect((await ended).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    while (endpoint.open() > 3) await new Promise(setImmediate);
    release();
    for (const answer of await Promise.all(patient)) {
      expect(answer.structuredContent).toMatchObject({ response: 'At last.' });
    }
    await close();
  });
});
