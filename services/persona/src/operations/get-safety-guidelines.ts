import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { toSafetyText } from '../domain/texts.ts';
import { type PersonaContext, textAnswer } from './deps.ts';

/** The rules that take precedence over the persona. */
export const getSafetyGuidelines = defineOperation({
  name: 'get_safety_guidelines',
  title: 'Safety guidelines',
  description: 'The safety guidelines that stand above the persona, as Markdown with {{user}} and {{char}} still open.',
  effect: 'reads',
  scope: 'none',
  input: z.object({}),
  ...textAnswer,
  example: { input: {}, output: { text: '# Safety Guidelines\n\nBe kind to {{user}}.\n' } },
  run: (_input, { deps: { persona } }: PersonaContext) => ({ text: toSafetyText(persona) }),
});
