import { givenNamesSchema } from '@contextloom/contracts/persona';
import { wordsOf } from '@contextloom/languages';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import type { Persona } from '../domain/persona.ts';
import { toNames, toPersonaText, toSafetyText, toSystemPrompt } from '../domain/texts.ts';
import { type PersonaContext, textAnswer } from './deps.ts';

/** `get_<name>_persona`: who the persona is, as its author wrote it. */
export function createGetPersona({ name, displayName }: Persona) {
  return defineOperation({
    name: `get_${name}_persona`,
    title: `${displayName}: persona`,
    description: `Who ${displayName} is, as Markdown with {{user}} and {{char}} still open.`,
    effect: 'reads',
    scope: 'none',
    input: z.object({}),
    ...textAnswer,
    example: { input: {}, output: { text: `# ${displayName} Persona\n\nYou are {{char}}, a friend of {{user}}.\n` } },
    run: (_input, { deps: { persona } }: PersonaContext) => ({ text: toPersonaText(persona) }),
  });
}

const { shape } = givenNamesSchema;

/** `get_<name>_system_prompt`: safety guidelines and persona as one prompt with the names filled in. */
export function createGetSystemPrompt({ name, displayName, language }: Persona) {
  return defineOperation({
    name: `get_${name}_system_prompt`,
    title: `${displayName}: system prompt`,
    description: `The system prompt that makes a model speak as ${displayName}: safety guidelines, then the persona, with {{user}} and {{char}} filled in.`,
    effect: 'reads',
    scope: 'none',
    input: givenNamesSchema.extend({
      user: shape.user.describe(
        `What ${displayName} calls the user; "${wordsOf(language).persona.user}" if not given.`,
      ),
      char: shape.char.describe(`What the persona is called; "${displayName}" if not given.`),
      user_name: shape.user_name.describe('The same as "user".'),
      char_name: shape.char_name.describe('The same as "char".'),
    }),
    ...textAnswer,
    example: {
      input: { user: 'Ann' },
      output: {
        text: `# ${displayName} System Prompt\n\nBe kind to Ann.\n\n\nYou are ${displayName}, a friend of Ann.\n`,
      },
    },
    run: (names, { deps: { persona } }: PersonaContext) => ({
      text: toSystemPrompt(persona, toNames(persona, names)),
    }),
  });
}

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
