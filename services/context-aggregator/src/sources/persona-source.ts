import type { UpstreamCallOptions, UpstreamResult } from '@contextloom/mcp-client';
import {
  type PersonaNames,
  toPersonaArguments,
  toPersonaServer,
  toPersonaTool,
} from '../domain/context-sources/persona.ts';
import type { AggregatorDeps } from './asking/deps.ts';
import { createFailure, type Failure, toFailure } from './asking/failure.ts';

/** A persona's system prompt, or the reason why it is missing. */
export type PersonaPrompt = { readonly kind: 'ok'; readonly prompt: string } | Failure;

/** Whose prompt, and what it should call whom. */
export interface PersonaRequest extends PersonaNames {
  readonly persona: string;
}

/**
 * Fetches the system prompt of any server that offers the tool `get_<name>_system_prompt`, or an MCP prompt of that name or
 * of the persona's; the deadline covers start-up and every question on the way.
 */
export async function fetchPersonaPrompt(
  request: PersonaRequest,
  { upstreams, deadlines: { sourceMs }, log }: AggregatorDeps,
  signal: AbortSignal,
): Promise<PersonaPrompt> {
  const server = toPersonaServer(request.persona);
  const options = { timeoutMs: sourceMs, signal: AbortSignal.any([signal, AbortSignal.timeout(sourceMs)]) };
  const result =
    (await askTool(server, request, upstreams, options)) ?? (await askPrompt(server, request, upstreams, options));
  if (result === undefined) return createFailure(`offers no ${toPersonaTool(request.persona)}`);
  if (result.kind !== 'ok') return toFailure(result, { server, log });
  return result.value === '' ? createFailure('answered without a text') : { kind: 'ok', prompt: result.value };
}

/** `undefined` when the server has no such tool. */
async function askTool(
  server: string,
  request: PersonaRequest,
  upstreams: AggregatorDeps['upstreams'],
  options: UpstreamCallOptions,
): Promise<UpstreamResult<string> | undefined> {
  const listed = await upstreams.listTools(server, options);
  if (listed.kind !== 'ok') return listed;
  const tool = listed.value.find(({ name }) => name === toPersonaTool(request.persona));
  if (tool === undefined) return undefined;
  const args = toPersonaArguments(Object.keys(tool.inputSchema.properties ?? {}), request);
  const answer = await upstreams.call(server, tool.name, args, options);
  return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.text } : answer;
}

/** `undefined` when the server has no such prompt. */
async function askPrompt(
  server: string,
  request: PersonaRequest,
  upstreams: AggregatorDeps['upstreams'],
  options: UpstreamCallOptions,
): Promise<UpstreamResult<string> | undefined> {
  const listed = await upstreams.listPrompts(server, options);
  if (listed.kind !== 'ok') return listed;
  const prompt = [toPersonaTool(request.persona), request.persona]
    .map((wanted) => listed.value.find(({ name }) => name === wanted))
    .find((found) => found !== undefined);
  if (prompt === undefined) return undefined;
  const args = toPersonaArguments(
    (prompt.arguments ?? []).map(({ name }) => name),
    request,
  );
  return upstreams.getPrompt(server, prompt.name, args, options);
}
