import { parseInput } from '@contextloom/contracts';
import type { PromptDefinition } from '@contextloom/server-kit';
import { z } from 'zod';
import { promptLanguages, promptTexts } from './texts.ts';

const argumentsSchema = z.object({ language: z.enum(promptLanguages).default('zh') });

/** The system prompt that makes a model use the memory well. */
export const memoryGuidePrompt: PromptDefinition = {
  name: 'personal_memory_guide',
  title: 'How to use the personal memory',
  description: 'A system prompt: what belongs where, when to store, how to look things up, with examples.',
  arguments: [{ name: 'language', description: 'zh (default) or en.', required: false }],
  render: (args) => promptTexts[parseInput(argumentsSchema, args).language],
};
