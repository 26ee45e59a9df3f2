import type { FoundTurn } from '../reader.ts';

/** Turns that wait, of which later lines of the file may change or delete some. */
export function createEditableTurns() {
  const turns: (FoundTurn | undefined)[] = [];
  const places = new Map<string, number>();
  return {
    /** @param key what later lines call the turn */
    add: (turn: FoundTurn, key?: string): void => {
      if (key !== undefined) places.set(key, turns.length);
      turns.push(turn);
    },
    /** Gives a turn other words, or deletes it without any; answers what it said before, undefined where it does not wait. */
    change: (key: string, text: string | undefined): string | undefined => {
      const at = places.get(key);
      const before = at === undefined ? undefined : turns[at];
      if (at === undefined || before === undefined) return undefined;
      turns[at] = text === undefined ? undefined : { ...before, text };
      return before.text;
    },
    /** Takes all turns that are left. */
    take: (): readonly FoundTurn[] => {
      places.clear();
      return turns.splice(0).filter((turn) => turn !== undefined);
    },
  };
}
