import { ContextloomError, explainPromptRequestSchema, explainPromptResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../deps.ts';

/** Tells why a prompt is as it is. */
export const explainPrompt = defineTool({
  name: 'explain_prompt',
  title: 'Explain a prompt',
  description:
    'Tells of a prompt that was built lately where each line came from (source, server, document, score, time) and what was left out and why. Takes the "hash" of its manifest and the user it was built for.',
  input: explainPromptRequestSchema,
  output: explainPromptResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async ({ hash, user_id }, { explanations }: AggregatorDeps) => {
    const found = explanations.find(hash);
    if (found !== undefined && user_id === found.userId) return found.explanation;
    throw new ContextloomError(
      'not_found',
      'no prompt with this hash was built lately for this user; build it again to explain it',
      {
        field: 'hash',
      },
    );
  },
});
