import { describe, expect, it } from '@jest/globals';
import { createToSpeaker } from '../../src/domain/memory-documents.ts';
import { gatherPeople } from '../../src/domain/people/gather-people.ts';

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

describe('the people of a conversation', () => {
  it('are who speaks and who is named, each with all memories that say so', () => {
    const windows = [
      toWindow('e1', ['Xan', 'My sister Ros helps. My dog Rex too.'], ['Mia Holm', 'Ask my brother Callum.']),
      toWindow('e2', ['user', 'My friend Ros? No, my sister Ros!'], ['assistant', 'My son Bot says hello.']),
      toWindow('e3', ['Mia Holm', 'My cat Tibby sleeps.'], ['Speaker 2', 'My wife Joan is here.']),
    ];
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

  it('rest on at most as many memories as personal memory takes', () => {
    const windows = Array.from({ length: 100 }, (_one, at) =>
      toWindow(`e${at}`, ['user', 'My sister Ros, my mate Ros.']),
    );
    expect(gatherPeople(windows, toSpeaker).entities[0]?.derived_from).toHaveLength(64);
  });
});
