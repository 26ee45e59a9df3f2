import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { noModel } from '../domain/chat.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';
import { boundUser, text, typeSchema } from './wire-schemas.ts';

/** Most images of one message. */
const MAX_IMAGES = 8;

/** Answers with what is remembered, and remembers. */
export const memoryChat = defineOperation({
  name: 'memory_chat',
  title: 'Chat with memory',
  description:
    'Answers a message with what is remembered of the user, and keeps what is worth keeping. Use it for conversations that should learn about the user; memorizing=false stores nothing.',
  effect: 'runs',
  hints: { isOpenWorld: true },
  scope: 'user',
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
        action: z.enum(['added', 'updated', 'known', 'processed', 'queued']),
        memory_type: typeSchema,
        memory_id: z.string().optional(),
        content: z.string().describe('Its words; of a secret the label.'),
        importance: z.number(),
      }),
    ),
    note: z.string().optional().describe('Why something was not kept, or that a key was made for the vault.'),
  }),
  example: {
    input: { user_id: 'ann', message: 'What can I cook tonight?' },
    output: { success: true, response: 'Something without peanuts.', memorized: false, memory_updates: [] },
  },
  route: toolRoute('memory_chat'),
  run: async (args, { deps, signal, reportProgress }: TypedMemoryContext) => {
    const { chat } = deps.memory;
    if (chat === undefined) throw noModel();
    let length = 0;
    const { response, updates, isHandedOver, note } = await chat(args.user_id, {
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
      memorized: isHandedOver === true || updates.length > 0,
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
