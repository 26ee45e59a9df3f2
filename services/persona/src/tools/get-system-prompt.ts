import { z } from 'zod';
import { wordings } from '../domain/language.ts';
import type { Persona } from '../domain/persona.ts';
import { toNames, toSystemPrompt } from '../domain/texts.ts';
import { defineTextTool } from './text-tool.ts';

const nameSchema = z.string().max(256, 'must be at most 256 characters').optional();

/** `get_<name>_system_prompt`: safety guidelines and persona as one prompt with the names filled in. */
export function createGetSystemPrompt({ name, displayName, language }: Persona) {
  return defineTextTool({
    name: `get_${name}_system_prompt`,
    title: `${displayName}: system prompt`,
    description: `The system prompt that makes a model speak as ${displayName}: safety guidelines, then the persona, with {{user}} and {{char}} filled in.`,
    input: z.object({
      user: nameSchema.describe(`What ${displayName} calls the user; "${wordings[language].user}" if not given.`),
      char: nameSchema.describe(`What the persona is called; "${displayName}" if not given.`),
      user_name: nameSchema.describe('The same as "user".'),
      char_name: nameSchema.describe('The same as "char".'),
    }),
    write: (persona, { user, char, user_name, char_name }) =>
      toSystemPrompt(persona, toNames(persona, { user: user ?? user_name, char: char ?? char_name })),
  });
}
