import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { createKeptMemories } from '../support/memory-stores.ts';
import { type ScriptedModel, startScriptedModel, toAnswerText } from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

/** A model that draws one fact of every user turn that it is asked to read, and the turns that it was asked for. */
async function build() {
  const read: string[] = [];
  const model = await startScriptedModel({
    chat: ({ body }) => {
      const piece = String(body.messages?.[1]?.content).split('The piece to read:')[1] ?? '';
      const turns = [...piece.matchAll(/^\[(\d+)\] (Ann|assistant): (.*)$/gmu)];
      read.push(...turns.map(([, label = '']) => label));
      const facts = turns
        .filter(([, , speaker]) => speaker === 'Ann')
        .map(([, label = '', , said]) => ({ content: `Ann told this: ${said}`, evidence: [label] }));
      return { kind: 'answer', text: toAnswerText(...facts) };
    },
  });
  running.push(model);
  const memories = createKeptMemories();
  return { read, model, memories, processor: createMemoryProcessor({ memories, extractor: model.extractor }) };
}

const turnsOf = (topic: string, exchanges: number, opening = 'hello there') =>
  Array.from({ length: exchanges }, (_, at) => [
    { role: 'user', content: at === 0 ? opening : `my ${topic} stands in garden ${at}` },
    { role: 'assistant', content: `good to know about ${topic} ${at}` },
  ]).flat();

const userId = 'ann';

describe('a conversation that is sent whole after every turn, without a name', () => {
  it('is one conversation of which every turn is read once and no fact is kept twice', async () => {
    const { processor, memories, read, model } = await build();
    const transcripts = new Set<string>();
    for (let sends = 1; sends <= 20; sends += 1) {
      const { transcript } = await processor.processTranscript({ userId, conversationHistory: turnsOf('oak', sends) });
      transcripts.add(transcript);
    }
    expect(transcripts.size).toBe(1);
    expect(read).toEqual(Array.from({ length: 40 }, (_, at) => String(at + 1)));
    expect(model.endpoint.requests).toHaveLength(20);
    const all = [...memories.documents.values()];
    const episodes = all.filter(({ tags }) => tags.includes('episode'));
    const facts = all.filter(({ tags }) => !tags.includes('episode')).map(({ content }) => content);
    expect(episodes).toHaveLength(7);
    expect([facts.length, new Set(facts).size]).toEqual([20, 20]);
    // What a run of the whole would have kept: the episodes word for word, each found by all of its facts.
    const { processor: other, memories: atOnce } = await build();
    await other.processTranscript({ userId, conversationHistory: turnsOf('oak', 20) });
    const told = ({ content, keys, metadata }: (typeof all)[number]) => [content, keys, metadata['facts']];
    const inOrder = (documents: typeof all) => documents.map(told).sort();
    expect(inOrder(all)).toEqual(inOrder([...atOnce.documents.values()]));
  });

  it('is another one when it begins alike and goes on otherwise, and neither is lost', async () => {
    const { processor, memories } = await build();
    const send = async (topic: string, exchanges: number) =>
      processor.processTranscript({ userId, conversationHistory: turnsOf(topic, exchanges) });
    const [oak, elm] = [await send('oak', 2), await send('elm', 2)];
    expect(elm.transcript).not.toBe(oak.transcript);
    expect([(await send('oak', 5)).transcript, (await send('elm', 4)).transcript]).toEqual([
      oak.transcript,
      elm.transcript,
    ]);
    // Nothing new, and nothing less, when an earlier state comes again.
    expect(await send('oak', 3)).toMatchObject({ transcript: oak.transcript, saved: [], unread: 0 });
    const text = [...memories.documents.values()].map(({ content }) => content).join('\n');
    for (const said of ['oak stands in garden 4', 'elm stands in garden 3', 'about oak 4'])
      expect(text).toContain(said);
  });

  it('is known without a model too, under a system prompt that all conversations share', async () => {
    const memories = createKeptMemories();
    const processor = createMemoryProcessor({ memories });
    const system = { role: 'system', content: 'You are kind.' };
    for (const [topic, opening] of [
      ['oak', 'hi'],
      ['elm', 'hey'],
    ] as const) {
      for (const exchanges of [1, 2, 4]) {
        const conversationHistory = [system, ...turnsOf(topic, exchanges, opening)];
        await processor.processTranscript({ userId, conversationHistory });
      }
    }
    expect(memories.documents.size).toBe(4);
  });
});
