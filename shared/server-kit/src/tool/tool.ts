import type { AccessScope, Principal, Subject } from '@contextloom/access';
import type { Sample } from '@contextloom/mcp-client';
import type { z } from 'zod';
import type { MaskCall } from '../privacy/mask-call.ts';

/** What a tool may use of the call that it answers. */
export interface ToolCall {
  readonly principal: Principal;
  /** Gets whom a call is about, for the audit log. */
  readonly noteSubjects?: ((ids: readonly string[]) => void) | undefined;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Tells the client how far the work is; does nothing when it did not ask. */
  readonly reportProgress: (done: number, total?: number, message?: string) => void;
  /** Masks the words of a call that stores something, where this installation asks for that. */
  readonly mask?: MaskCall | undefined;
  /** Asks the model of the client that calls; absent where it has said that it has none. */
  readonly sample?: Sample | undefined;
}

/** What a tool does to the world, all four hints of the protocol. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What a tool call came to: the same answer as text and as data. */
export interface ToolResult {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** What an operation is to MCP clients. */
export interface Tool<Deps> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** The scope that a caller needs. */
  readonly requires: AccessScope;
  /** How a call names whose data it is about. */
  readonly subject: Subject<unknown> | undefined;
  /** Parameters that the server has fixed: a call with another value of one is refused. */
  readonly bound?: readonly string[] | undefined;
  /** Parses, runs and checks one call; rejects with `ContextloomError` for what the caller can mend. */
  readonly invoke: (args: unknown, deps: Deps, call: ToolCall) => Promise<ToolResult>;
}
