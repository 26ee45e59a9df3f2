import { memoryTypes } from '@contextloom/contracts/typed-memory';
import type { ChatModel } from '@contextloom/llm';
import { isInstruction } from '@contextloom/safety';
import { z } from 'zod';
import { KEEP_RULES } from '../prompts/keep-prompt.ts';

/** Most memories of one message. */
const MAX_KEPT = 20;
const MAX_TOKENS = 2_000;

const shape = {
  name: 'memories',
  schema: z.object({
    memories: z.array(
      z.object({
        type: z.enum(memoryTypes),
        content: z.string(),
        context: z.string().optional(),
        importance: z.number(),
      }),
    ),
  }),
};

/** What a model would keep of a message. */
export interface ExtractedMemory extends z.output<typeof shape.schema.shape.memories.element> {}

/** What is worth keeping, or why that is not known. */
export type Keeping = { readonly memories: readonly ExtractedMemory[] } | { readonly problem: string };

/**
 * Asks what of a user's message is worth keeping. Only what the user said is read, never the answer: what a model makes up, or
 * repeats from a memory, does not become one.
 */
export async function chooseKeepsakes(model: ChatModel, message: string, signal: AbortSignal): Promise<Keeping> {
  const messages = [
    { role: 'system', content: KEEP_RULES },
    { role: 'user', content: JSON.stringify({ message }) },
  ] as const;
  const answer = await model.completeJson({ messages, maxTokens: MAX_TOKENS, temperature: 0, signal }, shape);
  if (answer.kind !== 'ok') return { problem: 'the model did not say what to keep in a form that can be read' };
  const memories = answer.value.memories
    .filter(({ content }) => content.trim() !== '' && !isInstruction(content))
    .slice(0, MAX_KEPT)
    .map((memory) => ({ ...memory, importance: Math.min(10, Math.max(1, memory.importance)) }));
  return { memories };
}
