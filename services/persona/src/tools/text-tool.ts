import { defineTool, type Tool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import type { Persona } from '../domain/persona.ts';
import { type PersonaDeps, readOnly } from './persona-deps.ts';

const textOutput = z.object({ text: z.string().describe('The Markdown text.') });

/** A tool that answers with one text. */
export interface TextToolDefinition<I extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly write: (persona: Persona, args: z.output<I>) => string;
}

/** Makes a tool whose answer is plain text, and the same in `structuredContent` as `{text}`. */
export function defineTextTool<I extends z.ZodObject>({ write, ...definition }: TextToolDefinition<I>) {
  const tool: Tool<PersonaDeps> = defineTool({
    ...definition,
    output: textOutput,
    annotations: readOnly,
    toText: ({ text }) => text,
    run: (args, { persona }: PersonaDeps) => ({ text: write(persona, args) }),
  });
  return tool;
}
