import type { ContextloomClient, Input } from '../contextloom.ts';

/** One thing that was said. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** How the turns of a chat are composed and stored. */
export interface TurnOptions {
  /** The persona that speaks. */
  readonly persona_name: string;
  /**
   * More of what `prompt` takes, such as `max_tokens`, `user_name` or `user_id`. `placement` is `last_message` unless it says otherwise, so
   * that a provider's cache knows all that was sent before.
   */
  readonly prompt?:
    | Omit<Input<'build_prompt_with_context'>, 'persona_name' | 'user_query' | 'conversation'>
    | undefined;
  /** What `store` takes, such as `transcript_id` and `user_id`; `false` stores nothing. */
  readonly store?: Omit<Input<'store_conversation_memory'>, 'conversation_history'> | false | undefined;
  /**
   * Called when the memory could not be had or stored; the chat goes on without it. Without this function the chat fails.
   */
  readonly onError?: ((error: unknown, step: 'prompt' | 'store') => void) | undefined;
  /** Takes the work of storing, such as `waitUntil` of a platform; without it the answer waits until the turn is stored. */
  readonly waitUntil?: ((storing: Promise<void>) => void) | undefined;
}

/** What a request gets. */
export interface ComposedTurn {
  /** In front of the application's own messages. */
  readonly system: string;
  /** With the newest message of the user, marked as no words of theirs; empty where there is nothing of this question. */
  readonly recall: string;
}

/** What stands between the words of a message and what is remembered. */
export const BESIDE = '\n\n';

/** Composes and stores the turns of a chat. */
export interface TurnMemory {
  /** What belongs to what was said last; undefined where it cannot be had and `onError` takes that. */
  readonly compose: (turns: readonly Turn[], signal?: AbortSignal) => Promise<ComposedTurn | undefined>;
  /** Stores a conversation and its answer: of one that was stored before, what is new. */
  readonly store: (turns: readonly Turn[], answer: string) => Promise<void>;
}

/** Makes what a chat's wrapper asks of the memory. */
export function createTurnMemory(memory: ContextloomClient, options: TurnOptions): TurnMemory {
  const { persona_name, prompt = {}, store = {}, onError, waitUntil } = options;

  async function attempt<T>(step: 'prompt' | 'store', work: () => Promise<T>): Promise<T | undefined> {
    if (onError === undefined) return work();
    try {
      return await work();
    } catch (error) {
      onError(error, step);
      return undefined;
    }
  }

  return {
    compose: (turns, signal) =>
      attempt('prompt', async () => {
        const at = turns.findLastIndex(({ role }) => role === 'user');
        const conversation = turns.slice(0, Math.max(at, 0));
        const placement = prompt.placement ?? 'last_message';
        const fields = { ...prompt, placement, persona_name, user_query: turns[at]?.content ?? '' };
        const said = { ...fields, ...(conversation.length > 0 && { conversation }) };
        const { prompt: system, parts = [] } = await memory.prompt(said, { signal });
        // An aggregator of before the parts answers the whole as one prompt.
        const recalled = placement === 'last_message' ? parts.find(({ kind }) => kind === 'recall')?.text : undefined;
        return { system, recall: (recalled ?? '').trimEnd() };
      }),
    store: async (turns, answer) => {
      if (store === false || answer === '' || turns.length === 0) return;
      const conversation = [...turns, { role: 'assistant', content: answer }];
      const storing = attempt('store', () => memory.store(conversation, store)).then(() => undefined);
      if (waitUntil === undefined) await storing;
      else waitUntil(storing);
    },
  };
}
