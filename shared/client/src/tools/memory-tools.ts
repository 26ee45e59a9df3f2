import { isContextloomError } from '@contextloom/contracts/errors';
import type { ContextloomClient } from '../contextloom.ts';
import { chatTools } from '../operations/chat-tools.ts';
import type { CallOptions } from '../options.ts';

/** The name of a tool with which a model uses the memory. */
export type MemoryToolName = (typeof chatTools)[number]['name'];

/** Which tools a model gets. */
export interface MemoryToolsOptions {
  /** All five by default. */
  readonly only?: readonly MemoryToolName[] | undefined;
}

/** A tool as every framework knows it. */
export interface MemoryTool {
  readonly name: MemoryToolName;
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Answers what the operation answers, or `{ error: { code, message } }`: a model can go on without its memory, and mend a wrong call.
   * Rejects when the signal is aborted.
   */
  readonly run: (args: unknown, options?: CallOptions) => Promise<object>;
}

/** A model does not choose whose memory it uses: that is the client's user, or the key's. */
function withoutUser(args: unknown): Readonly<Record<string, unknown>> {
  const { user_id: _chosen, ...rest } = Object(args) as Record<string, unknown>;
  return rest;
}

/** The tools with which a model remembers, recalls, corrects, forgets and lists. */
export function toMemoryTools(memory: ContextloomClient, { only }: MemoryToolsOptions = {}): readonly MemoryTool[] {
  const wanted = chatTools.filter(({ name }) => only?.includes(name) ?? true);
  return wanted.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
    run: async (args, options) => {
      try {
        const { structured } = await memory.raw(String(name), withoutUser(args), options);
        return Object(structured) as object;
      } catch (error) {
        if (!isContextloomError(error)) throw error;
        return { error: { code: error.code, message: error.message } };
      }
    },
  }));
}
