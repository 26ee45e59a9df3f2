import { toCoreKey } from './details.ts';
import type { FoundMemory, StoredMemory } from './memory.ts';

/** Longer texts are no statements of one fact, in UTF-16 code units. */
const MAX_LENGTH = 500;
/** Words that say of a state that it is over. */
const PAST = /以前|从前|曾经|原来|过去|\b(?:used to|formerly|previously) /giu;

interface Statement<T> {
  readonly memory: T;
  readonly isOver: boolean;
}

/** The subject of which only one statement can be current, such as where the user lives; undefined for statements that stand alone. */
function toSubject({ type, key, content }: StoredMemory): string | undefined {
  if ((type !== 'core' && type !== 'semantic') || content.length > MAX_LENGTH) return undefined;
  return key ?? toCoreKey(content.replace(PAST, ''));
}

const timeOf = ({ updatedAt, createdAt }: StoredMemory): string => updatedAt ?? createdAt ?? '';

/** The statements about each subject that has several, the present one first. */
function groupStatements<T extends StoredMemory>(memories: readonly T[]): readonly (readonly T[])[] {
  const groups = new Map<string, Statement<T>[]>();
  for (const memory of memories) {
    const subject = toSubject(memory);
    if (subject === undefined) continue;
    const isOver = memory.content.search(PAST) >= 0;
    groups.set(subject, [...(groups.get(subject) ?? []), { memory, isOver }]);
  }
  const inOrder = (a: Statement<T>, b: Statement<T>): number =>
    Number(a.isOver) - Number(b.isOver) || (timeOf(a.memory) < timeOf(b.memory) ? 1 : -1);
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .map((group) => group.sort(inOrder).map(({ memory }) => memory));
}

/** Puts what was said of something earlier behind what is said of it now, with no higher score. */
export function putPresentFirst<T extends FoundMemory>(found: readonly T[]): readonly T[] {
  let ranked = [...found];
  for (const group of groupStatements(found)) {
    // The best place of the group is the present statement's, with its score, and so on.
    const places = group.map((memory) => ranked.findIndex(({ id }) => id === memory.id)).sort((a, b) => a - b);
    const scores = places.map((place) => ({ score: ranked[place]?.score, relevance: ranked[place]?.relevance }));
    ranked = ranked.map((memory, at) => {
      const rank = places.indexOf(at);
      const own = rank < 0 ? undefined : group[rank];
      return own === undefined ? memory : { ...own, ...scores[rank] };
    });
  }
  return ranked;
}

/** Leaves out what was said of something earlier, where what is said of it now stands in the list too. */
export function withoutOutdated<T extends StoredMemory>(memories: readonly T[]): readonly T[] {
  const outdated = new Set(groupStatements(memories).flatMap(([, ...earlier]) => earlier.map(({ id }) => id)));
  return memories.filter(({ id }) => !outdated.has(id));
}
