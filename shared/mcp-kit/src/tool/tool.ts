import { type DeepReadonly, parseInput, withoutNulls } from '@contextloom/contracts';
import type { z } from 'zod';
import type { AccessScope, Principal } from '../access/principal.ts';
import type { Subject } from '../access/subject.ts';

/** What a tool may use of the call that it answers. */
export interface ToolCall {
  readonly principal: Principal;
  /** Told whom a call is about, for the audit log. */
  readonly noteSubjects?: ((ids: readonly string[]) => void) | undefined;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Tells the client how far the work is; does nothing when it did not ask. */
  readonly reportProgress: (done: number, total?: number, message?: string) => void;
}

/** What a tool does to the world, all four hints of the protocol. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool as data: what clients see, and the function behind it. */
export interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject, Deps> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly annotations: ToolAnnotations;
  /** The text of an answer, for tools that return plain text; pretty JSON without it. */
  readonly toText?: (output: z.output<O>) => string;
  readonly run: (
    args: z.output<I>,
    deps: Deps,
    call: ToolCall,
  ) => DeepReadonly<z.input<O>> | Promise<DeepReadonly<z.input<O>>>;
}

/** What a tool call came to: the same answer as text and as data. */
export interface ToolResult {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** A tool whose argument types are sealed inside, so that tools of all kinds stand in one list. */
export interface Tool<Deps> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** The scope that a caller needs; without it by `readOnlyHint`. */
  readonly requires?: AccessScope;
  /** How a call names whose data it is about. */
  readonly subject?: Subject<unknown> | undefined;
  /** Parameters that the server has fixed: a call with another value of one is refused. */
  readonly bound?: readonly string[] | undefined;
  /** Parses, runs and checks one call; rejects with `ContextloomError` for what the caller can mend. */
  readonly invoke: (args: unknown, deps: Deps, call: ToolCall) => Promise<ToolResult>;
}

/** Seals a definition: arguments are parsed (null counts as absent, unknown ones are ignored), answers are checked. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject, Deps>(
  definition: ToolDefinition<I, O, Deps>,
): Tool<Deps> {
  const { run, toText, input, output, ...shown } = definition;
  return {
    ...shown,
    input,
    output,
    invoke: async (args, deps, call) => {
      const parsed = parseInput(input, withoutNulls(args ?? {}));
      const answer = output.parse(await run(parsed, deps, call));
      return { text: toText === undefined ? JSON.stringify(answer, null, 2) : toText(answer), structured: answer };
    },
  };
}
