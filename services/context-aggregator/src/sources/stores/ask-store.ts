import type { Contract, InputOf } from '@contextloom/contracts';
import type { UpstreamCallOptions, Upstreams } from '@contextloom/mcp-client';
import type { z } from 'zod';
import { parseAnswer, type ToolAnswer } from '../../domain/memories/memories.ts';
import type { AggregatorDeps } from '../asking/deps.ts';
import { createFailure, type Failure, toFailure, toUnreadable, toUserFailure } from '../asking/failure.ts';
import { toArguments } from '../asking/to-arguments.ts';

/** What a store answered, or why it did not. */
export type Answer<T> = { readonly kind: 'ok'; readonly value: T } | Failure;

/** One call of a store's tool. */
export interface StoreCall<T> {
  /** The service, by the name of its folder; an entry that is reached by an address is known by its own name. */
  readonly service: string;
  /** The first of these names that the server offers is called. */
  readonly tool: string | readonly string[];
  readonly args: object;
  /** Whether it changes something: that is waited for as long as storing may take, also while a store is made at its first use. */
  readonly isChange?: boolean;
  /** Reads the answer; undefined for one that cannot be read. */
  readonly read: (answer: ToolAnswer) => T | undefined;
}

/** Asks the stores of a composition for one user. */
export interface AskStore {
  <T>(call: StoreCall<T>): Promise<Answer<T>>;
  /** Whether the composition has this service. */
  readonly has: (service: string) => boolean;
}

/** Reads an answer by a schema. */
export const bySchema =
  <T>(schema: z.ZodType<T>) =>
  (answer: ToolAnswer): T | undefined =>
    parseAnswer(schema, answer);

/** Writes questions to a service: the name of an operation of its contract, and arguments that this takes. */
export const toQuestion =
  <C extends Contract>(service: string) =>
  <Name extends keyof C & string>(tool: Name, args: InputOf<C, Name>) => ({ service, tool, args });

/** What a server was sent it may still do. */
const LATE = ', and may still do what it was asked: look before it is asked again';

function findServer({ names, serviceOf }: Upstreams, service: string): string | undefined {
  return names().find((name) => (serviceOf(name) ?? name) === service);
}

/** Builds what asks the stores; the signal is the one deadline of all the questions of a call. */
export function createAskStore({ upstreams, deadlines, log }: AggregatorDeps, signal: AbortSignal): AskStore {
  const toTool = async (
    server: string,
    tool: string | readonly string[],
    options: UpstreamCallOptions,
  ): Promise<Answer<string>> => {
    if (typeof tool === 'string') return { kind: 'ok', value: tool };
    const listed = await upstreams.listTools(server, options);
    if (listed.kind !== 'ok') return toFailure(listed, { server, log });
    const offered = tool.find((name) => listed.value.some((one) => one.name === name));
    return offered === undefined ? createFailure(`offers no ${tool.join(' or ')}`) : { kind: 'ok', value: offered };
  };
  const ask = async <T>({ service, tool, args, isChange = false, read }: StoreCall<T>): Promise<Answer<T>> => {
    const server = findServer(upstreams, service);
    if (server === undefined) return createFailure('is not in the configuration');
    const options = { timeoutMs: isChange ? deadlines.storeMs : deadlines.sourceMs, signal };
    const named = await toTool(server, tool, options);
    if (named.kind === 'failed') return named;
    const result = await upstreams.call(server, named.value, toArguments(args), options);
    const context = { server, log };
    if (result.kind === 'timeout' && isChange)
      return toUserFailure({ ...result, reason: `${result.reason}${LATE}` }, context);
    if (result.kind !== 'ok') return toUserFailure(result, context);
    const value = read(result.value);
    return value === undefined ? toUnreadable(result.value.text, context) : { kind: 'ok', value };
  };
  return Object.assign(ask, { has: (service: string) => findServer(upstreams, service) !== undefined });
}
