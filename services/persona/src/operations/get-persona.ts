import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import type { Persona } from '../domain/persona.ts';
import { toPersonaText } from '../domain/texts.ts';
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
