import { givenNamesSchema } from '../domain/given-names.ts';
import { wordings } from '../domain/language.ts';
import type { Persona } from '../domain/persona.ts';
import { toNames, toSystemPrompt } from '../domain/texts.ts';
import { defineTextTool } from './text-tool.ts';

const { shape } = givenNamesSchema;

/** `get_<name>_system_prompt`: safety guidelines and persona as one prompt with the names filled in. */
export function createGetSystemPrompt({ name, displayName, language }: Persona) {
  return defineTextTool({
    name: `get_${name}_system_prompt`,
    title: `${displayName}: system prompt`,
    description: `The system prompt that makes a model speak as ${displayName}: safety guidelines, then the persona, with {{user}} and {{char}} filled in.`,
    input: givenNamesSchema.extend({
      user: shape.user.describe(`What ${displayName} calls the user; "${wordings[language].user}" if not given.`),
      char: shape.char.describe(`What the persona is called; "${displayName}" if not given.`),
      user_name: shape.user_name.describe('The same as "user".'),
      char_name: shape.char_name.describe('The same as "char".'),
    }),
    write: (persona, names) => toSystemPrompt(persona, toNames(persona, names)),
  });
}
