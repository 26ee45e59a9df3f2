import { ContextloomError } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type AggregatorContext, toCallDeps } from './deps.ts';
import { exampleLine, exampleManifest } from './examples.ts';

/** Tells why a prompt is as it is. */
export const explainPrompt = defineOperation({
  name: 'explain_prompt',
  title: 'Explain a prompt',
  description:
    'Tells of a prompt that was built lately where each line came from (source, server, document, score, time, tokens) and what was left out and why. Takes the "hash" of its manifest and the user it was built for.',
  effect: 'reads',
  scope: 'user',
  ...contract.explain_prompt,
  example: {
    input: { hash: exampleManifest.hash, user_id: 'ann' },
    output: {
      hash: exampleManifest.hash,
      persona: 'uozumi',
      manifest: exampleManifest,
      lines: [exampleLine],
      left_out: [],
    },
  },
  run: ({ hash, user_id }, context: AggregatorContext) => {
    const found = toCallDeps(context).explanations.find(hash);
    if (found !== undefined && user_id === found.userId) return found.explanation;
    const message = 'no prompt with this hash was built lately for this user; build it again to explain it';
    throw new ContextloomError('not_found', message, { field: 'hash' });
  },
});
