import { typedMemory as contract } from '@contextloom/contracts/typed-memory';
import { withoutPrivate } from '@contextloom/safety/private';
import { defineOperation } from '@contextloom/server-kit';
import { noModel } from '../domain/chat.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';

/** Answers with what is remembered, and remembers. */
export const memoryChat = defineOperation({
  name: 'memory_chat',
  title: 'Chat with memory',
  description:
    'Answers a message with what is remembered of the user, and keeps what is worth keeping. Use it for conversations that should learn about the user; memorizing=false stores nothing.',
  effect: 'runs',
  hints: { isOpenWorld: true },
  scope: 'user',
  ...contract.memory_chat,
  example: {
    input: { user_id: 'ann', message: 'What can I cook tonight?' },
    output: { success: true, response: 'Something without peanuts.', memorized: false, memory_updates: [] },
  },
  route: toolRoute('memory_chat'),
  // It is answered with all that it says.
  leaveOut: 'self',
  run: async (args, { deps, signal, reportProgress }: TypedMemoryContext) => {
    const { chat } = deps.memory;
    if (chat === undefined) throw noModel();
    let length = 0;
    const { response, updates, isHandedOver, note } = await chat(args.user_id, {
      message: args.message,
      kept: withoutPrivate(args.message),
      memorizing: args.memorizing && args.store !== false,
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
