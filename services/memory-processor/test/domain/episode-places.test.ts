import { describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import type { TranscriptRequest } from '../../src/domain/memory-processor.ts';
import type { MemoryDocument } from '../../src/domain/memory-store.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';
import { createScriptedExtractor, toFact } from '../support/scripted-extractor.ts';

const extractor = createScriptedExtractor(() => [toFact('a fact', 7)]);
const processorOver = (memories: KeptMemories) =>
  createMemoryProcessor({ memories, extractor, clock: () => new Date('2025-01-02T03:04:05Z') });

const say = (turns: number): string =>
  Array.from({ length: turns }, (_, index) => `Anna: I saw film number ${index} last night.`).join('\n');
/** Three windows on one day and one on another. */
const conversationHistory = `# 2024-03-05\n${say(14)}\n# 2024-03-06\n${say(2)}`;
const request: TranscriptRequest = { userId: 'anna', conversationHistory, transcriptId: 'films' };

async function record(requests: readonly TranscriptRequest[], memories = createKeptMemories()) {
  for (const one of requests) await processorOver(memories).processTranscript(one);
  const documents = [...memories.documents.values()];
  return { memories, documents, episodes: documents.filter(({ tags }) => tags.includes('episode')) };
}

const placeOf = ({ metadata: { sequence, position } }: MemoryDocument) => ({ sequence, position });

/** A memory as it was kept before episodes had places. */
function withoutPlace({
  metadata: { sequence: _sequence, position: _position, ...metadata },
  ...rest
}: MemoryDocument) {
  return { ...rest, metadata };
}

describe('the places of episodes', () => {
  it('are one sequence a session, in the order in which things were said', async () => {
    const { episodes } = await record([request]);
    const [day, next] = [episodes[0]?.metadata['sequence'], episodes[3]?.metadata['sequence']];
    expect(episodes.map(placeOf)).toEqual([
      { sequence: day, position: 2 },
      { sequence: day, position: 4 },
      { sequence: day, position: 6 },
      { sequence: next, position: 2 },
    ]);
    for (const sequence of [day, next]) expect(sequence).toMatch(/^session-[0-9a-f]{32}$/);
    expect(next).not.toBe(day);
  });

  it('are of no two sequences of one name, though users, conversations and sessions are named alike', async () => {
    const { episodes } = await record([
      request,
      { ...request, userId: 'ben' },
      { ...request, transcriptId: 'more films' },
      // Joined, these names would be the same.
      { ...request, userId: 'anna films', transcriptId: '2024' },
      { ...request, userId: 'anna', transcriptId: 'films 2024' },
    ]);
    const sequences = new Map<unknown, Set<string>>();
    for (const { metadata } of episodes) {
      const { sequence, user_id, transcript, session } = metadata;
      const named = JSON.stringify([user_id, transcript, session]);
      sequences.set(sequence, new Set([...(sequences.get(sequence) ?? []), named]));
    }
    expect(sequences.size).toBe(10);
    for (const named of sequences.values()) expect(named.size).toBe(1);
  });

  it('are not those of facts, which stand alone, nor of memories that are saved by themselves', async () => {
    const { memories } = await record([request]);
    await processorOver(memories).saveMemory('anna', 'Anna likes tea.', 5);
    const others = [...memories.documents.values()].filter(({ tags }) => !tags.includes('episode'));
    expect(others).toHaveLength(5);
    for (const other of others) expect(placeOf(other)).toEqual({});
  });

  it('stay when the conversation grows, and go on', async () => {
    const before = await record([request]);
    const grown = { ...request, conversationHistory: `${conversationHistory}\n${say(8)}` };
    const after = await record([grown], before.memories);
    expect(after.episodes.slice(0, 4).map(placeOf)).toEqual(before.episodes.map(placeOf));
    expect(after.episodes[4]?.metadata).toMatchObject({
      sequence: before.episodes[3]?.metadata['sequence'],
      position: 4,
    });
  });

  it('are not shown in answers', async () => {
    const { saved } = await processorOver(createKeptMemories()).processTranscript(request);
    for (const memory of saved) {
      expect(Object.keys(memory)).not.toEqual(expect.arrayContaining(['position']));
      expect(Object.keys(memory)).not.toEqual(expect.arrayContaining(['sequence']));
    }
  });

  it('are not needed: what was recorded without them is known, and nothing of it is kept twice', async () => {
    const { memories, documents } = await record([request]);
    for (const one of documents) memories.documents.set(one.doc_id, withoutPlace(one));
    const again = await processorOver(memories).processTranscript(request);
    expect(again).toMatchObject({ windows: 4, known: 4, saved: [] });
    expect([...memories.documents.values()]).toEqual(documents.map(withoutPlace));
    // A window that is read again, as one that has grown, replaces itself and has its place from then on.
    const grown = await record([{ ...request, conversationHistory: `${conversationHistory}\n${say(2)}` }], memories);
    expect(grown.episodes).toHaveLength(4);
    expect(grown.episodes.map((one) => placeOf(one).position)).toEqual([undefined, undefined, undefined, 2]);
  });
});
