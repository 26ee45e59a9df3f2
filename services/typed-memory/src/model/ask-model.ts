import { isContextloomError } from '@contextloom/contracts';
import type { ChatModel } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ProfileWriter } from '../domain/profile.ts';
import type { Categorizer } from '../domain/remember.ts';
import { PROFILE_RULES, TYPE_RULES } from '../prompts/keep-prompt.ts';

/** What a helper of the model works with. */
export interface AskOptions {
  readonly model: ChatModel;
  readonly log: Log;
}

/** How much of a text is shown. */
const SHOWN = 4_000;
const typeShape = {
  name: 'memory_type',
  // Rules detect a secret before a model sees the text.
  schema: z.object({ type: z.enum(['core', 'episodic', 'semantic', 'procedural', 'resource']) }),
};

/** Runs what is done by rules, or left out, when the model cannot be used. */
async function orUndefined<T>(work: () => Promise<T>, log: Log, message: string): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    log.warn({ code: error.code, cause: error.cause }, message);
    return undefined;
  }
}

/** Asks a model for the type of a text. */
export function createCategorizer({ model, log }: AskOptions): Categorizer {
  return (content, context, signal) =>
    orUndefined(
      async () => {
        const text = JSON.stringify({ text: content.slice(0, SHOWN), context });
        const messages = [
          { role: 'system', content: TYPE_RULES },
          { role: 'user', content: text },
        ] as const;
        const answer = await model.completeJson({ messages, maxTokens: 100, temperature: 0, signal }, typeShape);
        return answer.kind === 'ok' ? answer.value.type : undefined;
      },
      log,
      'the model could not be asked for a type; rules did',
    );
}

/** Most summaries that are kept; the same facts are not summed up twice. */
const MAX_SUMMARIES = 1_000;

/** Has a model sum up profiles. */
export function createProfileWriter({ model, log }: AskOptions): ProfileWriter {
  const summaries = new LRUCache<string, string>({ max: MAX_SUMMARIES });

  async function write(facts: string, signal: AbortSignal): Promise<string | undefined> {
    const messages = [
      { role: 'system', content: PROFILE_RULES },
      { role: 'user', content: JSON.stringify({ notes: facts.split('\n') }) },
    ] as const;
    const { text, finish } = await model.complete({ messages, maxTokens: 600, temperature: 0, signal });
    if (finish === 'refused' || text.trim() === '') return undefined;
    summaries.set(facts, text.trim());
    return text.trim();
  }

  return async (facts, signal) =>
    summaries.get(facts) ??
    orUndefined(() => write(facts, signal), log, 'the model could not be asked for a summary; the facts are listed');
}
