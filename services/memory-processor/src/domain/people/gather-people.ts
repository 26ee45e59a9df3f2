import type { GraphEntity, GraphRelation, Trust } from '@contextloom/contracts';
import type { RelationKind } from '@contextloom/contracts/personal-memory';
import type { GraphBatch } from '../graph-store.ts';
import type { WindowTurn } from '../windows/window-turns.ts';
import { findRelatives, isNamed } from './find-relatives.ts';

/** A window that was saved, and the id of the document that keeps it. */
export interface SavedWindow {
  readonly episodeId: string;
  readonly turns: readonly WindowTurn[];
}

/** So many memories at most are kept of those that name somebody. */
const MAX_SOURCES = 64;

interface Person {
  /** What they are to the user, by how often that was said. */
  readonly relations: Map<RelationKind, number>;
  isPet: boolean;
  readonly sources: Set<string>;
}

/** What they are to the user most often; a person or a pet where nothing tells. */
function toKind({ relations, isPet }: Person): string {
  const [first] = [...relations].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? (isPet ? 'pet' : 'person');
}

/**
 * Who speaks and who is named in a conversation, and what they are to the user or to each other, by written rules. What the user says
 * of somebody is their kind; what another speaker says of theirs is a relation between the two.
 */
export function gatherPeople(windows: readonly SavedWindow[], toSpeaker: (turn: WindowTurn) => Trust): GraphBatch {
  const people = new Map<string, Person>();
  const relations = new Map<string, GraphRelation>();
  const note = (name: string, source: string): Person => {
    const known = people.get(name) ?? { relations: new Map(), isPet: false, sources: new Set() };
    people.set(name, known);
    if (known.sources.size < MAX_SOURCES) known.sources.add(`note:${source}`);
    return known;
  };
  const speakers = new Set(windows.flatMap(({ turns }) => turns.map(({ speaker }) => speaker)));
  const readTurn = (turn: WindowTurn, source: string): void => {
    const { speaker, text } = turn;
    const who = toSpeaker(turn);
    if (who !== 'user' && who !== 'other') return;
    const isOther = who === 'other' && isNamed(speaker);
    if (isOther) note(speaker, source);
    if (who === 'other' && !isOther) return;
    for (const [name, relation] of findRelatives(text, speakers)) {
      const person = note(name, source);
      if (relation === 'pet') person.isPet = true;
      if (relation === 'person') continue;
      if (who === 'user') person.relations.set(relation, (person.relations.get(relation) ?? 0) + 1);
      else if (name !== speaker) {
        const type = `${relation}_of`;
        const key = JSON.stringify([name, speaker, type]);
        const said = relations.get(key)?.derived_from ?? [];
        const derived_from = [...new Set([...said, `note:${source}`])].slice(0, MAX_SOURCES);
        relations.set(key, { from: name, to: speaker, relation_type: type, derived_from });
      }
    }
  };
  for (const { turns, episodeId } of windows) for (const turn of turns) readTurn(turn, episodeId);
  const entities = [...people].map(
    ([name, person]): GraphEntity => ({
      name,
      kind: toKind(person),
      observations: [],
      derived_from: [...person.sources],
    }),
  );
  return { entities, relations: [...relations.values()] };
}
