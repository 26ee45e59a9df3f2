import {
  type BuildPromptRequest,
  type BuildPromptResponse,
  buildPromptRequestSchema,
  buildPromptResponseSchema,
  ContextloomError,
  type PromptSource,
} from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../deps.ts';
import { describePersonas, toPersonaServer, toPersonas } from '../domain/persona.ts';
import { toPrompt } from '../domain/prompt.ts';
import { type Failure, toError } from '../sources/failure.ts';
import { KNOWLEDGE_BASE } from '../sources/memory-source.ts';
import { fetchPersonaPrompt } from '../sources/persona-source.ts';
import { type Recall, recallMemories } from '../sources/recall.ts';

/** The tool that the system is for: a persona's prompt, preceded by what is remembered of the user. */
export const buildPromptWithContext = defineTool({
  name: 'build_prompt_with_context',
  title: 'Build a prompt with memories',
  description:
    "Returns the persona's system prompt, preceded by the memories of the user that fit what the user says now. If memories cannot be had in time, the persona's prompt alone.",
  input: buildPromptRequestSchema,
  output: buildPromptResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  toText: ({ prompt }) => prompt,
  run: async (args, deps: AggregatorDeps, { signal }) => {
    requirePersona(args.persona_name, deps);
    const settled = new AbortController();
    const stop = AbortSignal.any([signal, settled.signal]);
    try {
      const [persona, memories] = await Promise.all([
        getPersonaPrompt(args, deps, stop),
        recallMemories({ userId: args.user_id, query: args.user_query, topK: args.memory_top_k }, deps, stop),
      ]);
      return toResponse(args.persona_name, persona, memories);
    } finally {
      settled.abort(); // Without the persona there is no prompt, and nobody waits for the memories any longer.
    }
  },
});

function requirePersona(name: string, { upstreams }: AggregatorDeps): void {
  if (upstreams.has(toPersonaServer(name))) return;
  const known = describePersonas(toPersonas(upstreams.names));
  throw new ContextloomError('not_found', `there is no persona "${name}"; ${known}`, { field: 'persona_name' });
}

async function getPersonaPrompt(args: BuildPromptRequest, deps: AggregatorDeps, signal: AbortSignal): Promise<string> {
  const persona = await fetchPersonaPrompt({ persona: args.persona_name, ...args }, deps, signal);
  if (persona.kind === 'ok') return persona.prompt;
  throw toPersonaError(args.persona_name, persona, deps);
}

function toPersonaError(name: string, failure: Failure, { upstreams }: AggregatorDeps): ContextloomError {
  const { code, reason, told } = failure;
  if (told !== undefined) return toError(toPersonaServer(name), failure);
  const known = describePersonas(toPersonas(upstreams.names));
  return new ContextloomError(code, `${toPersonaServer(name)} ${reason}; ${known}.`, { field: 'persona_name' });
}

function toResponse(persona: string, personaPrompt: string, memories: Recall): BuildPromptResponse {
  const personaSource: PromptSource = { server: toPersonaServer(persona), status: 'ok' };
  if (memories.kind === 'failed') {
    const memorySource: PromptSource = { server: KNOWLEDGE_BASE, status: 'failed', reason: memories.reason };
    return { prompt: personaPrompt, status: 'partial', sources: [personaSource, memorySource] };
  }
  const told = memories.told.map(({ text }) => text);
  return {
    prompt: toPrompt(personaPrompt, told),
    status: 'complete',
    sources: [personaSource, { server: KNOWLEDGE_BASE, status: 'ok' }],
  };
}
