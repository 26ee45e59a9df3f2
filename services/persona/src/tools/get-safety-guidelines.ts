import { z } from 'zod';
import { toSafetyText } from '../domain/texts.ts';
import { defineTextTool } from './text-tool.ts';

/** `get_safety_guidelines`: the rules that stand above the persona. */
export const getSafetyGuidelines = defineTextTool({
  name: 'get_safety_guidelines',
  title: 'Safety guidelines',
  description: 'The safety guidelines that stand above the persona, as Markdown with {{user}} and {{char}} still open.',
  input: z.object({}),
  write: toSafetyText,
});
