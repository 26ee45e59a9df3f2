import { type ChatMessage, countTokens, cutToTokens } from '@contextloom/llm';
import { LRUCache } from 'lru-cache';

/** The last turns of conversations, word for word, in this process only. */
export interface History {
  readonly read: (key: string) => readonly ChatMessage[];
  readonly add: (key: string, question: string, answer: string) => void;
}

interface Turn {
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
}

/** Most conversations that are kept. */
const MAX_CONVERSATIONS = 1_000;

/** Builds a history that keeps the latest whole turns of each conversation within a budget of tokens. */
export function createHistory(maxTokens: number): History {
  const conversations = new LRUCache<string, readonly Turn[]>({ max: MAX_CONVERSATIONS });
  return {
    read: (key) => (conversations.get(key) ?? []).flatMap(({ messages }) => messages),
    add: (key, question, answer) => {
      if (maxTokens === 0) return;
      // Half for each, so that one long message does not leave a turn without its other side.
      const [asked, answered] = [question, answer].map((text) => cutToTokens(text, Math.floor(maxTokens / 2)));
      const messages: readonly ChatMessage[] = [
        { role: 'user', content: asked ?? '' },
        { role: 'assistant', content: answered ?? '' },
      ];
      const turn = { messages, tokens: messages.reduce((sum, { content }) => sum + countTokens(content), 0) };
      const turns = [...(conversations.get(key) ?? []), turn];
      let total = turns.reduce((sum, { tokens }) => sum + tokens, 0);
      while (total > maxTokens && turns.length > 1) total -= turns.shift()?.tokens ?? 0;
      conversations.set(key, turns);
    },
  };
}
