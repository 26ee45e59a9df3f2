import { randomUUID } from 'node:crypto';
import { ContextloomError, type InputOf, isContextloomError } from '@contextloom/contracts';
import { type AggregatorContract, aggregator as contract } from '@contextloom/contracts/aggregator';
import { createUpstreams, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import type { Check } from '@contextloom/server-kit';
import type { z } from 'zod';
import type { CliContext } from '../context.ts';
import { clients } from '../init/clients.ts';
import { type ClientEntry, findEntry } from '../init/find-entry.ts';
import { SERVER_NAME } from '../init/write-client.ts';
import { version } from '../version.ts';

/** How long a call may take, in milliseconds: the first one starts all servers. */
const TIMEOUT_MS = 60_000;

/**
 * Stores, finds and forgets one note through the server of each MCP client of this machine, started as the client starts it.
 * A client that was given no server, or one at an address, is left out.
 */
export async function tryClients(context: CliContext): Promise<Readonly<Record<string, Check>>> {
  const checks: Record<string, Check> = {};
  for (const client of clients) {
    const entry = await findEntry(client, context.machine);
    if (entry !== undefined) checks[client.id] = await tryEntry(entry, context);
  }
  return checks;
}

async function tryEntry({ command, args, env }: ClientEntry, { signal, cwd }: CliContext): Promise<Check> {
  const upstreams = createUpstreams({
    servers: { [SERVER_NAME]: { command, args, env, cwd } },
    clientName: 'contextloom-doctor',
    clientVersion: version,
    log: silentLog,
    startTimeoutMs: TIMEOUT_MS,
    stderr: 'ignore',
  });
  try {
    return { name: 'remembers', ...(await tryMemory(upstreams, args, signal)) };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return { name: 'remembers', status: 'failed', detail: error.message };
  } finally {
    await upstreams.close();
  }
}

async function tryMemory(
  upstreams: Upstreams,
  flags: readonly string[],
  signal: AbortSignal,
): Promise<Omit<Check, 'name'>> {
  const listed = await upstreams.listTools(SERVER_NAME, { timeoutMs: TIMEOUT_MS, signal });
  if (listed.kind !== 'ok') return { status: 'failed', detail: listed.reason };
  const remember = listed.value.find(({ name }) => name === 'remember');
  if (remember === undefined) return { status: 'off', detail: 'its profile stores no single memory' };
  // A server of one user takes no other.
  const user =
    remember.inputSchema.required?.includes('user_id') === true ? flags[flags.indexOf('--user') + 1] : undefined;
  const call = toCall(upstreams, { user_id: user }, signal);
  const mark = randomUUID();
  const { id } = await call('remember', { text: `contextloom doctor tries ${mark}`, kind: 'note' });
  try {
    const { memories } = await call('recall', { query: mark });
    if (!memories.some((memory) => memory.id === id)) {
      return { status: 'failed', detail: 'what was stored is not found again' };
    }
  } finally {
    await call('forget', { id });
  }
  return { status: 'ok', detail: 'stored, found and forgot one memory' };
}

/** Calls a tool of the server. @throws ContextloomError `unavailable`, in the words of the server */
function toCall(upstreams: Upstreams, whose: { readonly user_id?: string | undefined }, signal: AbortSignal) {
  return async <Name extends 'remember' | 'recall' | 'forget'>(
    tool: Name,
    args: Omit<InputOf<AggregatorContract, Name>, 'user_id'>,
  ): Promise<z.output<AggregatorContract[Name]['output']>> => {
    const given = JSON.parse(JSON.stringify({ ...args, ...whose }));
    const answer = await upstreams.call(SERVER_NAME, tool, given, { timeoutMs: TIMEOUT_MS, signal });
    if (answer.kind === 'ok') {
      return contract[tool].output.parse(answer.value.structured) as z.output<AggregatorContract[Name]['output']>;
    }
    throw new ContextloomError('unavailable', `${tool}: ${answer.answer ?? answer.reason}`);
  };
}
