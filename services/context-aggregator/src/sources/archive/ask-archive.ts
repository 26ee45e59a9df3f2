import type { JsonObject, Unreached } from '@contextloom/contracts';
import type { z } from 'zod';
import { parseAnswer } from '../../domain/memories/memories.ts';
import type { AggregatorDeps } from '../asking/deps.ts';
import { toFailure, toUnreadable, toUserFailure } from '../asking/failure.ts';

/** What is needed to ask a server for users' records. */
export type ArchiveDeps = Pick<AggregatorDeps, 'upstreams' | 'deadlines' | 'log'>;

/** What a server answered; `none` where it has no such tool, and stores nothing of users or says nothing. */
export type ArchiveAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreached'; readonly why: string };

/** A call of a tool that servers with records of users have. */
export interface ArchiveCall<T> {
  readonly tool: string;
  readonly args: JsonObject;
  readonly output: z.ZodType<T>;
  readonly signal: AbortSignal;
}

/** Calls a tool at a server that may lack it. */
export async function askArchive<T>(
  server: string,
  { tool, args, output, signal }: ArchiveCall<T>,
  { upstreams, deadlines: { sourceMs, storeMs }, log }: ArchiveDeps,
): Promise<ArchiveAnswer<T>> {
  const context = { server, log };
  const listed = await upstreams.listTools(server, { timeoutMs: sourceMs, signal });
  if (listed.kind !== 'ok') return { kind: 'unreached', why: toFailure(listed, context).reason };
  if (!listed.value.some(({ name }) => name === tool)) return { kind: 'none' };
  const result = await upstreams.call(server, tool, args, { timeoutMs: storeMs, signal });
  if (result.kind !== 'ok') return { kind: 'unreached', why: toUserFailure(result, context).reason };
  const value = parseAnswer(output, result.value);
  return value === undefined
    ? { kind: 'unreached', why: toUnreadable(result.value.text, context).reason }
    : { kind: 'ok', value };
}

/** Where typed memory says which backend it has, and what it says of the knowledge base. */
const TYPED_STATUS = 'mirix://status';
const KEPT_IN_KNOWLEDGE_BASE = /"backend": *"knowledge base"/;

/** Whether a typed memory stores in the knowledge base, which answers for it; else at a MIRIX server, which nobody here can ask. */
export async function isInKnowledgeBase(
  server: string,
  signal: AbortSignal,
  { upstreams, deadlines: { sourceMs: timeoutMs } }: ArchiveDeps,
): Promise<boolean> {
  const status = await upstreams.readResource(server, TYPED_STATUS, { timeoutMs, signal });
  return status.kind === 'ok' && KEPT_IN_KNOWLEDGE_BASE.test(status.value);
}

/** What of a server without the tool is kept where nobody here can ask. */
export async function findElsewhere(
  server: string,
  signal: AbortSignal,
  deps: ArchiveDeps,
): Promise<Unreached | undefined> {
  if (deps.upstreams.serviceOf(server) !== 'typed-memory') return undefined;
  if (await isInKnowledgeBase(server, signal, deps)) return undefined;
  return { what: 'memories at a MIRIX server', why: 'they have to be asked for there' };
}
