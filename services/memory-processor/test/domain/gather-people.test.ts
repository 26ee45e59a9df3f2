import { describe, expect, it } from '@jest/globals';
import { createToSpeaker } from '../../src/domain/memory-documents.ts';
import { gatherPeople } from '../../src/domain/people/gather-people.ts';
import { sentences } from '../support/people-sentences.ts';

const toSpeaker = createToSpeaker({ id: 'xan', name: 'Xan' });
const turn = (speaker: string, text: string, at: number) => ({
  speaker,
  text,
  label: String(at),
  voice: speaker === 'assistant' ? ('assistant' as const) : ('person' as const),
});
const toWindow = (episodeId: string, ...said: readonly (readonly [string, string])[]) => ({
  episodeId,
  turns: said.map(([speaker, text], at) => turn(speaker, text, at)),
});

const isAmongPeople = (window: ReturnType<typeof toWindow>) => ({
  ...window,
  turns: window.turns.map((one) => (one.voice === 'person' ? { ...one, isAmongPeople: true as const } : one)),
});
const toNames = (windows: readonly ReturnType<typeof toWindow>[]): readonly string[] =>
  gatherPeople(windows, toSpeaker).entities.map(({ name }) => name);

describe('the people of a conversation', () => {
  it('are who speaks and who is named, each with all memories that say so', () => {
    const windows = [
      toWindow('e1', ['Xan', 'My sister Ros helps. My dog Rex too.'], ['Mia Holm', 'Ask my brother Callum.']),
      toWindow('e2', ['user', 'My friend Ros? No, my sister Ros!'], ['assistant', 'My son Bot says hello.']),
      toWindow('e3', ['Mia Holm', 'My cat Tibby sleeps.'], ['Speaker 2', 'My wife Joan is here.']),
    ].map(isAmongPeople);
    expect(gatherPeople(windows, toSpeaker)).toEqual({
      entities: [
        { name: 'Ros', kind: 'sister', observations: [], derived_from: ['note:e1', 'note:e2'] },
        { name: 'Rex', kind: 'pet', observations: [], derived_from: ['note:e1'] },
        { name: 'Mia Holm', kind: 'person', observations: [], derived_from: ['note:e1', 'note:e3'] },
        { name: 'Callum', kind: 'person', observations: [], derived_from: ['note:e1'] },
        { name: 'Tibby', kind: 'pet', observations: [], derived_from: ['note:e3'] },
      ],
      relations: [
        { from: 'Callum', to: 'Mia Holm', relation_type: 'brother_of', derived_from: ['note:e1'] },
        { from: 'Tibby', to: 'Mia Holm', relation_type: 'pet_of', derived_from: ['note:e3'] },
      ],
    });
  });

  it('are neither a persona under a name nor those whom it makes up', () => {
    const said = [
      ['Xan', 'Marlow, my friend Marlow, my sister Ros is here.'],
      ['Marlow', 'I had a bell from my brother Finn.'],
    ] as const;
    expect(toNames([toWindow('e1', ...said)])).toEqual(['Ros']);
    expect(toNames([isAmongPeople(toWindow('e1', ...said))])).toEqual(['Marlow', 'Ros', 'Finn']);
  });

  it('are not the user, nor an assistant, where nothing tells who is who', () => {
    const said = [
      ['Tess', 'My name is Tessa. My son Kit is nine.'],
      ['Marlow', 'Ask my brother Tessa, my friend Tess.'],
      ['Tess', '跟阿澄合租，大学同学。'],
    ] as const;
    const windows = [toWindow('e1', ...said)];
    expect(gatherPeople(windows, toSpeaker)).toMatchObject({
      entities: [{ name: 'Kit', kind: 'person' }],
      relations: [],
    });
  });

  it('are known by all of the conversation, also where a part of it is new', () => {
    const before = toWindow('e1', ['Xan', '跟阿澄合租。']);
    const now = toWindow('e2', ['Marlow', 'My son Finn.'], ['Xan', '阿澄说想看苍山。']);
    expect(gatherPeople([now], toSpeaker, [before, now]).entities).toEqual([
      { name: '阿澄', kind: 'person', observations: [], derived_from: ['note:e2'] },
    ]);
  });

  it.each([
    ['跟阿澄合租。我和阿澄去了大理。', ['阿澄']],
    ['跟阿澄合租。', []],
    ['阿澄，你在吗？跟阿澄说话真好。我问阿澄。', []],
    ['我叫老蒋。老蒋说得对。老蒋也来。', []],
    ['谢谢王老师！王老师说得对，王老师也来。', []],
    ['一周总有几天。一周总有几天。小王子在这里。小王子在那里。', []],
  ])('are those who are spoken of often: %s', (text, expected) => {
    expect(toNames([toWindow('e1', ['user', text])])).toEqual(expected);
  });

  it.each([
    ['en', { right: 21, wrong: ['Mary'] }],
    ['zh', { right: 20, wrong: [] }],
    ['ja', { right: 21, wrong: [] }],
  ] as const)('are right in sentences of %s that were written before the rules', (language, expected) => {
    const read = sentences[language].map(([text, names]) => {
      const found = toNames([toWindow('e1', ['user', text])]);
      return {
        right: found.filter((name) => names.includes(name)),
        wrong: found.filter((name) => !names.includes(name)),
      };
    });
    expect({
      right: read.flatMap(({ right }) => right).length,
      wrong: read.flatMap(({ wrong }) => wrong),
    }).toEqual(expected);
  });

  it('rest on at most as many memories as personal memory takes', () => {
    const windows = Array.from({ length: 100 }, (_one, at) =>
      toWindow(`e${at}`, ['user', 'My sister Ros, my mate Ros.']),
    );
    expect(gatherPeople(windows, toSpeaker).entities[0]?.derived_from).toHaveLength(64);
  });
});
