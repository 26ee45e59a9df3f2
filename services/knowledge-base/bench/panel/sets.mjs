// The sets of the panel, each of another shape. Those without a file of theirs are made by program, the same at every run.
import { basename } from 'node:path';
import { makeChats } from './make/chats.mjs';
import { makeFacts } from './make/facts.mjs';
import { makeGroupChat } from './make/group.mjs';
import { makeDecisions, makeLogs, makeLong, makeNotes } from './make/texts.mjs';
import { readBeam } from './read-beam.mjs';
import { readLocomoSet, readTownSet } from './read-conversations.mjs';
import { readQmsum, readSquad } from './read-public.mjs';

/**
 * The sets by name, each a function that makes or reads it: `{documents, questions}`, questions without evidence being those that
 * nothing answers.
 * @param files `locomo`, a LoCoMo-shaped file; `beam`, a folder of BEAM-shaped chats; `squad`, files
 * of SQuAD's shape; `qmsum`, a folder of its meetings; their sets are left out where absent
 */
export function panelSets({ locomo, beam, squad = [], qmsum } = {}) {
  return {
    ...(locomo !== undefined && { locomo: () => readLocomoSet(locomo) }),
    ...(beam !== undefined && { beam: () => readBeam(beam) }),
    ...Object.fromEntries(
      squad.flatMap((file) =>
        ['paragraph', 'sentence'].map((unit) => [`${basename(file, '.json')}-${unit}s`, () => readSquad(file, unit)]),
      ),
    ),
    ...(qmsum !== undefined && { meetings: () => readQmsum(qmsum) }),
    'town-en': () => readTownSet('en'),
    'town-zh': () => readTownSet('zh'),
    'facts-en': () => makeFacts('en'),
    'facts-zh': () => makeFacts('zh'),
    'chats-en': () => makeChats('en'),
    'chats-zh': () => makeChats('zh'),
    'group-chat': makeGroupChat,
    decisions: makeDecisions,
    notes: makeNotes,
    'logs-en': () => makeLogs('en'),
    'logs-zh': () => makeLogs('zh'),
    'long-en': () => makeLong('en'),
    'long-zh': () => makeLong('zh'),
  };
}
