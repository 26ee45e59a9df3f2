import type { GraphEntity, GraphRelation, Trust } from '@contextloom/contracts';
import type { RelationKind } from '@contextloom/contracts/personal-memory';
import type { GraphBatch } from '../graph-store.ts';
import type { WindowTurn } from '../windows/window-turns.ts';
import { findRelatives, findSpokenOf, findSpokenTo, isNamed } from './find-relatives.ts';

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

/** Somebody who is called by a form of address is a person when that was done so often. */
const OFTEN = 2;

/** What the whole conversation tells of those who are in it. */
interface Cast {
  /** Whether what a turn says of others is looked at: that of an assistant or of a persona may be made up. */
  readonly mayTell: (turn: WindowTurn) => boolean;
  /** Whether the speaker is somebody whom the user knows. */
  readonly isPerson: (turn: WindowTurn) => boolean;
  /** Whose relations are the user's: nobody's where nothing tells who that is. */
  readonly isUser: (turn: WindowTurn) => boolean;
  readonly speakers: ReadonlySet<string>;
  /** Whether a name is that of the user, of an assistant, or of somebody of whom it is not sure that they are neither. */
  readonly isShunned: (name: string) => boolean;
  /** Who is spoken of often. */
  readonly often: ReadonlySet<string>;
}

function readCast(turns: readonly WindowTurn[], toSpeaker: (turn: WindowTurn) => Trust): Cast {
  const isUser = (turn: WindowTurn): boolean => toSpeaker(turn) === 'user';
  const isUserKnown = turns.some(isUser);
  const isOther = (turn: WindowTurn): boolean => toSpeaker(turn) === 'other';
  const isPerson = (turn: WindowTurn): boolean =>
    isUserKnown && isOther(turn) && turn.isAmongPeople === true && isNamed(turn.speaker);
  const mayTell = (turn: WindowTurn): boolean => isUser(turn) || isPerson(turn) || (!isUserKnown && isOther(turn));
  const persons = new Set(turns.filter(isPerson).map(({ speaker }) => speaker));
  const speakers = new Set(turns.map(({ speaker }) => speaker));
  const shunned = new Set([...speakers].filter((speaker) => !persons.has(speaker)));
  const counts = new Map<string, number>();
  for (const turn of turns) {
    if (!mayTell(turn)) continue;
    for (const name of findSpokenOf(turn.text)) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (!isPerson(turn)) for (const name of findSpokenTo(turn.text)) shunned.add(name);
  }
  const often = new Set([...counts].filter(([, count]) => count >= OFTEN).map(([name]) => name));
  return { isUser, isPerson, mayTell, speakers, isShunned: (name) => shunned.has(name), often };
}

/**
 * Who is named in a conversation, and who of a chat among people speaks, with what they are to the user or to each other, by written
 * rules. What the user says of somebody is their kind; what another speaker says of theirs is a relation between the two. Who may be the
 * user, an assistant or a persona is nobody to tell of.
 * @param around all windows of the conversation: they tell who is who, and who is spoken of often
 */
export function gatherPeople(
  windows: readonly SavedWindow[],
  toSpeaker: (turn: WindowTurn) => Trust,
  around: readonly Pick<SavedWindow, 'turns'>[] = windows,
): GraphBatch {
  const people = new Map<string, Person>();
  const relations = new Map<string, GraphRelation>();
  const note = (name: string, source: string): Person => {
    const known = people.get(name) ?? { relations: new Map(), isPet: false, sources: new Set() };
    people.set(name, known);
    if (known.sources.size < MAX_SOURCES) known.sources.add(`note:${source}`);
    return known;
  };
  const cast = readCast(
    around.flatMap(({ turns }) => turns),
    toSpeaker,
  );
  const noteRelation = (name: string, speaker: string, relation: RelationKind, source: string): void => {
    const type = `${relation}_of`;
    const key = JSON.stringify([name, speaker, type]);
    const said = relations.get(key)?.derived_from ?? [];
    const derived_from = [...new Set([...said, `note:${source}`])].slice(0, MAX_SOURCES);
    relations.set(key, { from: name, to: speaker, relation_type: type, derived_from });
  };
  const readTurn = (turn: WindowTurn, source: string): void => {
    if (!cast.mayTell(turn)) return;
    const { speaker, text } = turn;
    const isPerson = cast.isPerson(turn);
    if (isPerson) note(speaker, source);
    for (const [name, relation] of findRelatives(text, cast.speakers)) {
      if (cast.isShunned(name)) continue;
      const person = note(name, source);
      if (relation === 'pet') person.isPet = true;
      if (relation === 'person') continue;
      if (cast.isUser(turn)) person.relations.set(relation, (person.relations.get(relation) ?? 0) + 1);
      else if (isPerson && name !== speaker) noteRelation(name, speaker, relation, source);
    }
    for (const name of findSpokenOf(text)) if (cast.often.has(name) && !cast.isShunned(name)) note(name, source);
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
