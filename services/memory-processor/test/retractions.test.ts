import { randomUUID } from 'node:crypto';
import type { StoredDocument } from '@contextloom/contracts';
import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type LocalService, startLocalService } from '../../knowledge-base/test/support/local-service.ts';
import { createMemoryProcessor } from '../src/create-memory-processor.ts';
import { createKnowledgeBaseStore } from '../src/store/knowledge-base-store.ts';
import { createScriptedExtractor, toFact } from './support/scripted-extractor.ts';

let service: LocalService;
let knowledge: ReturnType<typeof createHttpKnowledgeBase>;
beforeAll(async () => {
  service = await startLocalService();
  knowledge = createHttpKnowledgeBase({ url: service.url, log: silentLog, newId: randomUUID });
});
afterAll(() => service.stop());

let user = '';
let readings = 0;
beforeEach(() => {
  user = randomUUID();
  readings = 0;
});

const SAID = ['I live in Leith.', 'My cat is called Momo.', 'I play chess with Olga.', 'My sister is Vera.'];
const LATER = ['I sold my car.', 'I learn to swim.'];

/** Turns of the user, each answered, half a minute apart. */
function toTurns(said: readonly string[]) {
  return said.flatMap((content, at) => [
    { role: 'user', content, timestamp: `2024-03-05T10:0${at}:00Z` },
    { role: 'assistant', content: `Noted: ${content}`, timestamp: `2024-03-05T10:0${at}:30Z` },
  ]);
}

/** A model that puts each fact into other words each time it reads. */
function openProcessor() {
  readings += 1;
  const reading = readings;
  const extractor = createScriptedExtractor(({ turns }) =>
    turns
      .filter(({ text }) => !text.startsWith('Noted'))
      .map(({ text, label }) => ({
        content: `Reading ${reading}: ${text}`,
        importance: 6,
        memoryType: 'knowledge',
        tags: [],
        evidence: [label],
      })),
  );
  const memories = createKnowledgeBaseStore(knowledge);
  return createMemoryProcessor({ memories, extractor, clock: () => new Date('2024-06-01T00:00:00Z') });
}

interface Door {
  readonly said?: readonly string[];
  readonly transcriptId?: string | undefined;
  readonly reread?: boolean;
}

const read = ({ said = SAID, transcriptId = 'talk', reread = false }: Door = {}) =>
  openProcessor().processTranscript({ userId: user, conversationHistory: toTurns(said), transcriptId, reread });

async function list(): Promise<readonly StoredDocument[]> {
  const filter = { metadata_filter: { user_id: user }, limit: 200, tags_any: ['memory', 'superseded'] };
  return (await knowledge.list(filter)).documents;
}
const isEpisode = ({ tags }: StoredDocument): boolean => tags.includes('episode');
const find = async (words: string, episode: boolean): Promise<StoredDocument> => {
  const found = (await list()).find((one) => isEpisode(one) === episode && one.content.includes(words));
  if (found === undefined) throw new Error(`nothing says ${words}`);
  return found;
};
const change = async (content: string, episode: boolean) =>
  knowledge.update({ id: (await find('Leith', episode)).id, userId: user }, { content });
/** Stores another document in the place of one, as a client does that knows its id alone. */
const replace = async (content: string, tags: readonly string[], episode: boolean) => {
  const { id: doc_id } = await find('Leith', episode);
  return knowledge.add([{ doc_id, content, tags: [...tags], metadata: { user_id: user } }]);
};
const remove = async (episode: boolean) => knowledge.delete({ id: (await find('Leith', episode)).id, userId: user });

const changes = [
  { name: 'a corrected fact', make: () => change('Ann lives in Berlin.', false), how: 'corrected', isEpisode: false },
  {
    name: 'a corrected episode',
    make: () => change('user: I live in Berlin.', true),
    how: 'corrected',
    isEpisode: true,
  },
  {
    name: 'a replaced fact',
    make: () => replace('Ann lives in Berlin.', ['memory'], false),
    how: 'corrected',
    isEpisode: false,
  },
  {
    name: 'a replaced episode',
    make: () => replace('Ann lives in Berlin.', ['memory', 'episode'], true),
    how: 'corrected',
    isEpisode: true,
  },
  { name: 'a deleted fact', make: () => remove(false), how: 'deleted', isEpisode: false },
  { name: 'a deleted episode', make: () => remove(true), how: 'deleted', isEpisode: true },
] as const;

const doors: readonly { readonly name: string; readonly endpoint: Door }[] = [
  { name: 'read again', endpoint: {} },
  { name: 'read again whole', endpoint: { reread: true } },
  { name: 'read again in a longer version', endpoint: { said: [...SAID, ...LATER] } },
  { name: 'read again whole in a longer version', endpoint: { said: [...SAID, ...LATER], reread: true } },
  { name: 'read from another file', endpoint: { transcriptId: 'copy' } },
  { name: 'read from another file that is longer', endpoint: { transcriptId: 'copy', said: [...SAID, ...LATER] } },
];

/** What the user overruled is as they left it, and nothing else was lost. */
async function expectKept({ how, isEpisode: ofEpisode }: (typeof changes)[number], said: readonly string[]) {
  const documents = (await list()).filter((one) => isEpisode(one) === ofEpisode);
  const telling = (words: string) => documents.filter(({ content }) => content.includes(words)).length;
  expect({ leith: telling('Leith'), berlin: telling('Berlin') }).toEqual({
    leith: 0,
    berlin: how === 'corrected' ? 1 : 0,
  });
  const others = (await list()).filter((one) => !isEpisode(one)).map(({ content }) => content);
  // With an episode goes what was drawn from it alone: the three facts of its window.
  const kept = how === 'deleted' && ofEpisode ? said.slice(3) : said.slice(1);
  for (const words of kept) expect(others).toContainEqual(expect.stringContaining(words));
}

describe.each(changes)('$name of a conversation', (one) => {
  it.each(doors)('stays so when it is $name', async ({ endpoint }) => {
    await read();
    await one.make();
    const outcome = await read(endpoint);
    const none = { corrected: 0, deleted: 0 };
    expect(outcome.retracted).toEqual({ ...none, [one.how]: 1 });
    await expectKept(one, endpoint.said ?? SAID);
    const again = await read(endpoint);
    expect(again.retracted).toEqual({ ...none, [one.how]: 1 });
    await expectKept(one, endpoint.said ?? SAID);
  });

  it('stays so after the user was exported, forgotten and taken in again', async () => {
    await read();
    await one.make();
    const lines = await exportAll();
    await knowledge.forget(user, false);
    expect(await createKnowledgeBaseStore(knowledge).listRetractions(user)).toEqual([]);
    await knowledge.importUser(user, lines);
    await read({ reread: true });
    await expectKept(one, SAID);
  });
});

async function exportAll(): Promise<readonly string[]> {
  return (await knowledge.exportUser(user)).lines.split('\n').filter((line) => line !== '');
}

describe('a correction', () => {
  it('is no longer one when the note is taken off', async () => {
    await read();
    await change('Ann lives in Berlin.', false);
    const { id } = await find('Berlin', false);
    await knowledge.update({ id, userId: user }, { metadata: { retracted: null, retracted_at: null } });
    expect((await read()).retracted).toEqual({ corrected: 0, deleted: 0 });
  });
});

describe('a fact that two conversations say', () => {
  it.each(changes.filter((one) => !one.isEpisode))(
    'and that is $how stays so when either is read again',
    async ({ make, how }) => {
      const extractor = createScriptedExtractor(({ turns }) =>
        turns.flatMap(({ text, label }) =>
          text.includes('Leith') || text.includes('harbour town')
            ? [{ ...toFact('Ann lives in Leith.', 6), evidence: [label] }]
            : [],
        ),
      );
      const memories = createKnowledgeBaseStore(knowledge);
      const processor = createMemoryProcessor({ memories, extractor, clock: () => new Date('2024-06-01T00:00:00Z') });
      const later = toTurns(['My home is that harbour town.']).map((turn) => ({
        ...turn,
        timestamp: '2024-05-01T10:00:00Z',
      }));
      const readBoth = async (reread: boolean) => {
        await processor.processTranscript({
          userId: user,
          conversationHistory: toTurns(SAID),
          transcriptId: 'talk',
          reread,
        });
        await processor.processTranscript({ userId: user, conversationHistory: later, transcriptId: 'later', reread });
      };
      await readBoth(false);
      await make();
      await readBoth(true);
      const facts = (await list()).filter((one) => !isEpisode(one)).map(({ content }) => content);
      expect(facts).toEqual(how === 'corrected' ? ['Ann lives in Berlin.'] : []);
    },
  );
});

describe('a deletion', () => {
  it('leaves where it was read, and none of its words', async () => {
    await read();
    const { id } = await find('Leith', false);
    await remove(false);
    const marks = (await knowledge.list({ metadata_filter: { user_id: user }, tags: ['retraction'], limit: 200 }))
      .documents;
    expect(marks).toHaveLength(1);
    expect(JSON.stringify(marks)).not.toContain('Leith');
    expect(marks[0]?.metadata).toMatchObject({
      retracted: 'deleted',
      retracted_id: id,
      transcript: 'talk',
      turns: '1',
    });
  });

  it('of the mark itself lets the memory be read again', async () => {
    await read();
    await remove(true);
    const [mark] = (await knowledge.list({ metadata_filter: { user_id: user }, tags: ['retraction'], limit: 200 }))
      .documents;
    await knowledge.delete({ id: mark?.id ?? '', userId: user });
    await read();
    expect((await find('Leith', true)).content).toContain('I live in Leith.');
  });

  it('holds for memories that were stored before turns had fingerprints', async () => {
    await read();
    for (const { id } of await list()) {
      await knowledge.update({ id, userId: user }, { metadata: { turn_hashes: null, retracted: null } });
    }
    await remove(true);
    expect((await read({ reread: true })).retracted).toEqual({ corrected: 0, deleted: 1 });
    expect((await list()).filter(isEpisode).some(({ content }) => content.includes('Leith'))).toBe(false);
  });
});
