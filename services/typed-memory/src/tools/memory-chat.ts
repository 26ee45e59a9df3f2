import { ContextloomError } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import type { TypedMemoryDeps } from './deps.ts';
import { boundUser, text, typeSchema } from './fields.ts';

const NO_MODEL =
  'memory_chat needs a model: set LLM_API_KEY (or OPENAI_API_KEY), or LLM_BASE_URL and LLM_MODEL (AI_MODEL) for any OpenAI-compatible endpoint';

/** Most images of one message. */
const MAX_IMAGES = 8;

/** Answers with what is remembered, and remembers. */
export const memoryChat = defineTool({
  name: 'memory_chat',
  title: 'Chat with memory',
  description:
    'Answers a message with what is remembered of the user, and keeps what is worth keeping. Use it for conversations that should learn about the user; memorizing=false stores nothing.',
  input: z.object({
    ...boundUser,
    message: text(100_000).describe('What the user says.'),
    memorizing: z.boolean().default(true).describe('Whether what is worth keeping is stored.'),
    image_uris: z
      .array(z.string())
      .max(MAX_IMAGES, `must be at most ${MAX_IMAGES} images`)
      .optional()
      .describe('Images that belong to the message: data: or https: URIs of PNG, JPEG, GIF or WebP.'),
    conversation_id: z
      .string()
      .max(256)
      .optional()
      .describe('Keeps conversations apart that go on at the same time; one conversation without it.'),
  }),
  output: z.object({
    success: z.literal(true),
    response: z.string(),
    memorized: z.boolean(),
    memory_updates: z.array(
      z.object({
        action: z.enum(['added', 'updated', 'known']),
        memory_type: typeSchema,
        memory_id: z.string(),
        content: z.string().describe('Its words; of a secret the label.'),
        importance: z.number(),
      }),
    ),
    note: z.string().optional().describe('Why something was not kept.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  run: async (args, { memory: { chat } }: TypedMemoryDeps, { signal, reportProgress }) => {
    if (chat === undefined) throw new ContextloomError('unavailable', NO_MODEL);
    let length = 0;
    const { response, updates, note } = await chat(args.user_id, {
      message: args.message,
      memorizing: args.memorizing,
      imageUris: args.image_uris ?? [],
      conversation: args.conversation_id ?? '',
      signal,
      onText: (piece) => {
        length += piece.length;
        reportProgress(length, undefined, piece);
      },
    });
    return {
      success: true as const,
      response,
      memorized: updates.length > 0,
      memory_updates: updates.map(({ kind, type, id, shown, importance }) => ({
        action: kind,
        memory_type: type,
        memory_id: id,
        content: shown,
        importance,
      })),
      note,
    };
  },
});
