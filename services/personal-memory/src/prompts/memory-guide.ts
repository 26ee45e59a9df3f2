import { DEFAULT_LANGUAGE, LANGUAGES, parseInput } from '@contextloom/contracts';
import { wordsOf } from '@contextloom/languages';
import type { PromptDefinition } from '@contextloom/server-kit';
import { z } from 'zod';

const argumentsSchema = z.object({ language: z.enum(LANGUAGES).default(DEFAULT_LANGUAGE) });

/** The system prompt that makes a model use the memory well. */
export const memoryGuidePrompt: PromptDefinition = {
  name: 'personal_memory_guide',
  title: 'How to use the personal memory',
  description: 'A system prompt: what belongs where, when to store, how to look things up, with examples.',
  arguments: [
    { name: 'language', description: `${LANGUAGES.join(' or ')}; ${DEFAULT_LANGUAGE} when absent.`, required: false },
  ],
  render: (args) => wordsOf(parseInput(argumentsSchema, args).language).guides.personalMemory,
};
