import { z } from 'zod';

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const imageUrl = z.string().regex(/^(?:https?:\/\/|data:image\/(?:png|jpeg|gif|webp);base64,)/);
const imagePart = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: imageUrl, detail: z.enum(['auto', 'low', 'high']).optional() }),
});
const content = z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart])).min(1)]);
const functionName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const toolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  // OpenAI's own SDK sends back what it has parsed, and the API takes that.
  function: z.strictObject({ name: functionName, arguments: z.string(), parsed_arguments: z.unknown().optional() }),
});

const named = { name: z.string().optional() };
const said = z.strictObject({ role: z.enum(['system', 'developer', 'user']), content, ...named });
const answered = z
  .strictObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCall).min(1).optional(),
    parsed: z.null().optional(),
    ...named,
  })
  .refine(
    ({ content: text, refusal, tool_calls }) => text != null || refusal != null || tool_calls !== undefined,
    'must have content or tool_calls',
  );
const result = z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content });
const message = z.discriminatedUnion('role', [said, answered, result]);

type Message = z.output<typeof message>;

/** Every tool message answers a call of the assistant's message before it, and every call is answered. */
function areCallsAnswered(messages: readonly Message[]): boolean {
  let open = new Set<string>();
  for (const one of messages) {
    if (one.role === 'tool') {
      if (!open.delete(one.tool_call_id)) return false;
    } else {
      if (open.size > 0) return false;
      open = new Set(one.role === 'assistant' ? one.tool_calls?.map(({ id }) => id) : []);
    }
  }
  return open.size === 0;
}

/** The messages of a request for a chat completion. */
export const messagesSchema = z
  .array(message)
  .min(1)
  .refine(areCallsAnswered, "messages with role 'tool' must be responses to the preceding message with 'tool_calls'");

/** The tools that a request offers, and which of them is to be called. */
export const toolFields = {
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: functionName,
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
          strict: z.boolean().nullish(),
        }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.enum(['none', 'auto', 'required']).optional(),
  parallel_tool_calls: z.boolean().optional(),
};
