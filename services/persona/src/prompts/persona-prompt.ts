import { parseInput } from '@contextloom/contracts';
import { givenNamesSchema } from '@contextloom/contracts/persona';
import { wordsOf } from '@contextloom/languages';
import type { PromptDefinition } from '@contextloom/server-kit';
import type { Persona } from '../domain/persona.ts';
import { toNames, toSystemPrompt } from '../domain/texts.ts';

/** The persona as an MCP prompt of its own name, with the text of its system prompt. */
export function createPersonaPrompt(persona: Persona): PromptDefinition {
  const { name, displayName, language, description } = persona;
  return {
    name,
    title: displayName,
    description: description ?? `Speak as ${displayName}.`,
    arguments: [
      {
        name: 'user',
        description: `What the user is called (default "${wordsOf(language).persona.user}").`,
        required: false,
      },
      { name: 'char', description: `What the persona is called (default "${displayName}").`, required: false },
    ],
    render: (args) => toSystemPrompt(persona, toNames(persona, parseInput(givenNamesSchema, args))),
  };
}
