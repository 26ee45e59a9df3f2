import type { ConversationHead, FoundTurn, Out } from '../reader.ts';

/** Turns of chats that take turns wait for each other up to so many characters. */
const MAX_WAITING = 32 * 1024 * 1024;
/** So many characters a turn takes besides its words, about. */
const TURN_SIZE = 200;

/** Puts turns together by the chat that they belong to, where a file has those of several as they came. */
export function createChatGroups(out: Out) {
  const waiting = new Map<string, { readonly head: ConversationHead; readonly turns: FoundTurn[] }>();
  let length = 0;
  const flush = (): void => {
    for (const { head, turns } of waiting.values()) {
      out.conversation(head);
      for (const turn of turns) out.turn(turn);
    }
    waiting.clear();
    length = 0;
  };
  return {
    /** Where turns of a chat go. */
    of: (head: ConversationHead): Out => ({
      ...out,
      turn: (turn) => {
        const key = head.id ?? '';
        const group = waiting.get(key) ?? { head, turns: [] };
        waiting.set(key, group);
        group.turns.push(turn);
        length += turn.text.length + TURN_SIZE;
        if (length > MAX_WAITING) flush();
      },
    }),
    flush,
  };
}
