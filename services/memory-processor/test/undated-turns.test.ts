import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessorServer } from '../src/build-server.ts';
import { createMemoryProcessor } from '../src/create-memory-processor.ts';
import type { Extractor } from '../src/domain/extractor.ts';
import { createKeptMemories, type KeptMemories } from './support/memory-stores.ts';
import { type ScriptedModel, startScriptedModel, toAnswerText } from './support/scripted-model.ts';

const clients: TestClient[] = [];
const models: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(models.splice(0).map(({ endpoint }) => endpoint.close()));
});

interface Parts {
  readonly memories?: KeptMemories;
  readonly extractor?: Extractor;
  readonly undatedTurns?: 'call' | 'none';
}

/** A server whose clock is set for each call. */
async function build({ memories = createKeptMemories(), extractor, undatedTurns }: Parts = {}) {
  let now = new Date('2024-01-01T00:00:00Z');
  const processor = createMemoryProcessor({
    memories,
    clock: () => now,
    ...(extractor !== undefined && { extractor }),
  });
  const factory = createMemoryProcessorServer({
    processor,
    version: '0.0.0',
    log: silentLog,
    ...(undatedTurns !== undefined && { undatedTurns }),
  });
  const client = await connectInMemory(factory);
  clients.push(client);
  const store = async (at: string, conversation_history: unknown, args: Readonly<Record<string, unknown>> = {}) => {
    now = new Date(at);
    return client.callTool('process_transcript', { user_id: 'ann', conversation_history, ...args });
  };
  return { store, memories };
}

/** What the store has of each memory, in the order in which it came there. */
const datesOf = ({ documents }: KeptMemories) =>
  [...documents.values()].map(({ content, metadata }) => [
    content,
    metadata['occurred_at'],
    metadata['occurred_at_source'],
  ]);

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

const DAY_ONE = '2024-05-01T09:00:00.000Z';
const DAY_TWO = '2024-05-02T18:30:00.000Z';
const DAY_THREE = '2024-05-03T08:00:00.000Z';

describe('turns without a date', () => {
  it('get the time of the call, and keep their words', async () => {
    const { store, memories } = await build();
    await store(DAY_ONE, 'Ann: I moved to Lyon.\nBo: How nice!');
    await store(DAY_TWO, [user('我搬到了成都。'), assistant('恭喜！')]);
    expect(datesOf(memories)).toEqual([
      ['Ann: I moved to Lyon.\nBo: How nice!', DAY_ONE, 'call'],
      ['user: 我搬到了成都。\nassistant: 恭喜！', DAY_TWO, 'call'],
    ]);
    expect([...memories.documents.values()].map(({ metadata }) => metadata['created_at'])).toEqual([DAY_ONE, DAY_TWO]);
  });

  it('keep that time when the conversation is sent again as it grows, and those of another day stand apart', async () => {
    const { store, memories } = await build();
    const history = [user('I live in Paris.'), assistant('Lovely.'), user('I moved to Lyon.'), user('我养了一只猫。')];
    await store(DAY_ONE, history.slice(0, 1));
    await store('2024-05-01T09:05:00.000Z', history.slice(0, 2));
    await store(DAY_TWO, history.slice(0, 3));
    // Another process, another day: what is recorded is known by the store alone.
    const later = await build({ memories });
    await later.store(DAY_THREE, history);
    const { structured } = await later.store('2024-06-09T00:00:00.000Z', history);
    expect(structured).toMatchObject({ memories_saved: 0, memories_known: 3 });
    expect(datesOf(memories)).toEqual([
      ['user: I live in Paris.\nassistant: Lovely.', DAY_ONE, 'call'],
      ['user: I moved to Lyon.', DAY_TWO, 'call'],
      ['user: 我养了一只猫。', DAY_THREE, 'call'],
    ]);
  });

  it('make the same windows as ever when twenty calls come on one day', async () => {
    const { store, memories } = await build();
    const history = Array.from({ length: 20 }, (_, at) => [user(`oak ${at} grows`), assistant(`good, ${at}`)]).flat();
    for (let sends = 1; sends <= 20; sends += 1) {
      await store(`2024-05-01T10:${String(sends).padStart(2, '0')}:00.000Z`, history.slice(0, 2 * sends));
    }
    expect([...memories.documents.values()].map(({ metadata }) => metadata['turns'])).toEqual([
      '1-6',
      '7-12',
      '13-18',
      '19-24',
      '25-30',
      '31-36',
      '37-40',
    ]);
    expect(datesOf(memories).map(([, at]) => at)).toEqual(
      ['01', '04', '07', '10', '13', '16', '19'].map((minute) => `2024-05-01T10:${minute}:00.000Z`),
    );
  });

  it('take a question of the day before along with its answer', async () => {
    const { store, memories } = await build();
    const history = [user('Hello.'), assistant('Where do you live?'), user('In Lyon.')];
    await store(DAY_ONE, history.slice(0, 2));
    for (const at of [DAY_TWO, DAY_THREE]) await store(at, history);
    expect(datesOf(memories)).toEqual([
      ['user: Hello.\nassistant: Where do you live?', DAY_ONE, 'call'],
      ['assistant: Where do you live?\nuser: In Lyon.', DAY_TWO, 'call'],
    ]);
  });

  it('stay undated where a conversation tells any date: what it tells goes before the clock', async () => {
    const { store, memories } = await build();
    await store(DAY_ONE, [{ ...user('I moved.'), timestamp: '2023-03-05T10:00:00Z' }, assistant('Oh!')]);
    await store(DAY_ONE, 'Ann: before\n# 2023-04-06\nAnn: after');
    await store(DAY_ONE, 'Ann: I sing.', { conversation_date: '2023-05-07' });
    expect(datesOf(memories)).toEqual([
      ['[2023-03-05]\nuser: I moved.\nassistant: Oh!', '2023-03-05T10:00:00.000Z', undefined],
      ['Ann: before', undefined, undefined],
      ['[2023-04-06]\nAnn: after', '2023-04-06T00:00:00.000Z', undefined],
      ['[2023-05-07]\nAnn: I sing.', '2023-05-07T00:00:00.000Z', undefined],
    ]);
  });

  it('get a time that the call names, or none, whatever the setting', async () => {
    const { store, memories } = await build();
    await store(DAY_TWO, 'Ann: I paint.', { undated_turns: '2024-05-01T08:00:00+08:00' });
    await store(DAY_TWO, 'Ann: I sing.', { undated_turns: 'none' });
    const off = await build({ memories, undatedTurns: 'none' });
    await off.store(DAY_TWO, 'Ann: I dance.');
    await off.store(DAY_TWO, 'Ann: I cook.', { undated_turns: 'call' });
    expect(datesOf(memories)).toEqual([
      ['Ann: I paint.', '2024-05-01T00:00:00.000Z', 'call'],
      ['Ann: I sing.', undefined, undefined],
      ['Ann: I dance.', undefined, undefined],
      ['Ann: I cook.', DAY_TWO, 'call'],
    ]);
    const { isError, text } = await store(DAY_TWO, 'Ann: I swim.', { undated_turns: 'yesterday' });
    expect([isError, text]).toEqual([true, 'undated_turns must be "call", "none" or a time in ISO 8601']);
  });

  it('that were recorded without a date stay so, and what follows them gets its own', async () => {
    const memories = createKeptMemories();
    const conversationHistory = 'Ann: I paint.';
    await createMemoryProcessor({ memories }).processTranscript({ userId: 'ann', conversationHistory });
    const { store } = await build({ memories });
    await store(DAY_ONE, `${conversationHistory}\nAnn: I sing.`);
    const dated = [
      ['Ann: I paint.', undefined, undefined],
      ['Ann: I sing.', DAY_ONE, 'call'],
    ];
    expect(datesOf(memories)).toEqual(dated);
    await store(DAY_TWO, `${conversationHistory}\nAnn: I sing.\nAnn: I dance.`, { undated_turns: 'none' });
    expect(datesOf(memories)).toEqual([...dated, ['Ann: I dance.', undefined, undefined]]);
  });

  it('of which a failure left some behind get the time of the call that brings them in the end', async () => {
    const lines = Array.from({ length: 360 }, (_, at) => `Ann: I saw film ${at}.`).join('\n');
    const broken = createKeptMemories({ failAfter: 1 });
    expect((await (await build({ memories: broken })).store(DAY_ONE, lines)).isError).toBe(true);
    const memories = createKeptMemories();
    for (const [id, document] of broken.documents) memories.documents.set(id, document);
    await (await build({ memories })).store(DAY_TWO, lines);
    const days = datesOf(memories).map(([, at]) => at);
    const first = broken.documents.size;
    expect(first).toBeGreaterThan(0);
    expect(days).toEqual([...Array(first).fill(DAY_ONE), ...Array(60 - first).fill(DAY_TWO)]);
  });

  it('have their images noted, however a client writes them', async () => {
    const { store, memories } = await build();
    await store(DAY_ONE, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'OpenAI' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'text', text: 'Anthropic' },
        ],
      },
      {
        id: 'm1',
        role: 'user',
        parts: [
          { type: 'text', text: 'AI SDK' },
          { type: 'file', mediaType: 'image/jpeg', url: 'data:image/jpeg;base64,AAAA' },
        ],
      },
    ]);
    expect(datesOf(memories)).toEqual([
      ['user: OpenAI\n  [image]\nuser: [image]\n  Anthropic\nuser: AI SDK\n  [image]', DAY_ONE, 'call'],
    ]);
  });
});

/** A model that draws one fact of each user turn it is to read, on the day before if the turn says so. */
async function startModel() {
  const asked: string[] = [];
  const model = await startScriptedModel({
    chat: ({ body }) => {
      const text = String(body.messages?.[1]?.content);
      const [before = '', piece = ''] = text.split(/The piece to read:|要读的这一段：/u);
      // Not what is asked about facts a second time.
      if (piece !== '') asked.push(text);
      const day = /\d{4}-\d{2}-(\d{2})/u.exec(before)?.[1] ?? '00';
      const facts = [...piece.matchAll(/^\[(\d+)\] (?!assistant)[^:]+: (.*)$/gmu)].map(([, label = '', said = '']) => ({
        content: said,
        memory_type: 'event',
        evidence: [label],
        occurred_at: /yesterday|昨天/u.test(said) ? `2024-05-${String(Number(day) - 1).padStart(2, '0')}` : null,
      }));
      return { kind: 'answer', text: toAnswerText(...facts) };
    },
  });
  models.push(model);
  return { extractor: model.extractor, asked };
}

describe('facts of turns without a date', () => {
  it('are of the call that brought the turns, each once, and relative days are told by it', async () => {
    const { extractor, asked } = await startModel();
    const { store, memories } = await build({ extractor });
    const history = [
      user('Ann adopted a cat'),
      assistant('Good.'),
      user('Ann bought a boat yesterday'),
      assistant('Oh!'),
      user('安昨天去爬山了'),
    ];
    await store(DAY_TWO, history.slice(0, 1));
    await store('2024-05-02T20:00:00.000Z', history.slice(0, 3));
    for (const at of [DAY_THREE, '2024-05-04T00:00:00.000Z']) await store(at, history);
    expect(asked).toHaveLength(3);
    expect(asked[0]).toContain('2024-05-02 (Thursday)');
    expect(asked[2]).toContain('2024-05-03（星期五）');
    const facts = [...memories.documents.values()].filter(({ tags }) => !tags.includes('episode'));
    expect(
      facts.map(({ content, metadata }) => [
        content,
        metadata['occurred_at'],
        metadata['occurred_at_source'],
        metadata['said_at'],
      ]),
    ).toEqual([
      ['Ann adopted a cat', DAY_TWO, 'call', DAY_TWO],
      ['Ann bought a boat yesterday', '2024-05-01T00:00:00.000Z', undefined, '2024-05-02T20:00:00.000Z'],
      ['安昨天去爬山了', '2024-05-02T00:00:00.000Z', undefined, DAY_THREE],
    ]);
  });

  it('are one fact when they are told again on the same day, and two events on two days', async () => {
    const { extractor } = await startModel();
    const { store, memories } = await build({ extractor });
    await store(DAY_ONE, [user('Hi there'), user('Ann went swimming')]);
    await store('2024-05-01T12:00:00.000Z', [user('Ann went swimming')]);
    await store(DAY_TWO, [user('Hello'), user('Ann went swimming')]);
    const swims = [...memories.documents.values()].filter(
      ({ content, tags }) => content === 'Ann went swimming' && tags.includes('memory') && !tags.includes('episode'),
    );
    expect(swims.map(({ metadata }) => [metadata['occurred_at'], metadata['mentions']])).toEqual([
      [DAY_ONE, 2],
      [DAY_TWO, undefined],
    ]);
  });
});
