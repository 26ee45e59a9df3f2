import { z } from 'zod';
import type { Persona } from '../domain/persona.ts';
import { toPersonaText } from '../domain/texts.ts';
import { defineTextTool } from './text-tool.ts';

/** `get_<name>_persona`: who the persona is, as its author wrote it. */
export function createGetPersona({ name, displayName }: Persona) {
  return defineTextTool({
    name: `get_${name}_persona`,
    title: `${displayName}: persona`,
    description: `Who ${displayName} is, as Markdown with {{user}} and {{char}} still open.`,
    input: z.object({}),
    write: toPersonaText,
  });
}
