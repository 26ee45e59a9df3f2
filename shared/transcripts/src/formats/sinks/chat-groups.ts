import type { ConversationHead, FoundTurn, Out } from '../reader.ts';
import { createEditableTurns } from './editable-turns.ts';

/** Turns of chats that take turns wait for each other up to so many characters. */
const MAX_WAITING = 32 * 1024 * 1024;
/** So many characters a turn takes besides its words, about. */
const TURN_SIZE = 200;

/** Puts turns together by the chat that they belong to, where a file has those of several as they came. */
export function createChatGroups(out: Out) {
  const waiting = new Map<
    string,
    { readonly head: ConversationHead; readonly turns: ReturnType<typeof createEditableTurns> }
  >();
  let length = 0;
  const flush = (): void => {
    for (const { head, turns } of waiting.values()) {
      out.conversation(head);
      for (const turn of turns.take()) out.turn(turn);
    }
    waiting.clear();
    length = 0;
  };
  const add = (head: ConversationHead, turn: FoundTurn, key?: string): void => {
    const group = waiting.get(head.id ?? '') ?? { head, turns: createEditableTurns() };
    waiting.set(head.id ?? '', group);
    group.turns.add(turn, key);
    length += turn.text.length + TURN_SIZE;
    if (length > MAX_WAITING) flush();
  };
  return {
    add,
    /** Gives a turn other words, or deletes it; answers what it said before, undefined where it does not wait any more. */
    change: (head: ConversationHead, key: string, text: string | undefined): string | undefined =>
      waiting.get(head.id ?? '')?.turns.change(key, text),
    /** Where turns of a chat go; `key` is what later lines call them. */
    of: (head: ConversationHead, key?: string): Out => ({ ...out, turn: (turn) => add(head, turn, key) }),
    flush,
  };
}
