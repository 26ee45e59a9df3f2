import { buildPromptResponseSchema } from '@contextloom/contracts';
import type { PromptDefinition } from '@contextloom/server-kit';
import { buildPromptWithContext } from '../operations/build-prompt-with-context.ts';
import type { ChatDeps } from '../operations/chat/deps.ts';

/** A persona as an MCP prompt: its system prompt with what is remembered of the user. */
export function toPersonaPrompt(persona: string): PromptDefinition<ChatDeps> {
  return {
    name: persona,
    title: `Speak with ${persona}`,
    description: `The system prompt of ${persona}, with the memories of the user that fit the topic.`,
    arguments: [
      { name: 'topic', description: 'What the conversation is about.', required: false },
      { name: 'user_id', description: 'The user.', required: true },
    ],
    render: async ({ topic, user_id }, deps, call) => {
      const args = { persona_name: persona, user_id, ...(topic !== undefined && { user_query: topic }) };
      const answer = await buildPromptWithContext.call(args, { ...call, deps });
      return buildPromptResponseSchema.parse(answer).prompt;
    },
  };
}
