import {
  type BuildPromptRequest,
  type BuildPromptResponse,
  ContextloomError,
  type ManifestSource,
  type PromptOmission,
  type PromptSource,
  type Withheld,
} from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type Composed, compose } from '../domain/composing/compose.ts';
import { createFrame, type FrameOptions } from '../domain/composing/frame.ts';
import type { SourceOffer, SourceStatus } from '../domain/composing/lines.ts';
import { toRecentWords, toSearchQuery } from '../domain/context-sources/conversation.ts';
import { describePersonas, toPersonaServer, toPersonas } from '../domain/context-sources/persona.ts';
import { requireNames } from '../domain/firewall/display-name.ts';
import { toZonedDay } from '../domain/memories/prompt-memories.ts';
import type { AggregatorDeps } from '../sources/asking/deps.ts';
import { type Failure, toError } from '../sources/asking/failure.ts';
import { type Gathering, gather, withLastAnswer } from '../sources/gather.ts';
import { fetchPersonaPrompt } from '../sources/persona-source.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';
import { exampleLine, exampleManifest } from './examples.ts';

/** The tool that the system is for: a persona's prompt, preceded by what is remembered of the user. */
export const buildPromptWithContext = defineOperation({
  name: 'build_prompt_with_context',
  title: 'Build a prompt with memories',
  description:
    "Returns the persona's system prompt, preceded by the memories of the user that fit what the user says now. If memories cannot be had in time, the persona's prompt alone.",
  effect: 'reads',
  scope: 'user',
  ...contract.build_prompt_with_context,
  example: {
    input: { persona_name: 'uozumi', user_id: 'ann', user_query: 'What shall I drink?' },
    output: {
      prompt: `[Memories]\n- ${exampleLine.text}\n\n---\n\nYou are Uozumi, who fishes and tells of it.`,
      status: 'complete',
      sources: [
        { server: 'persona-uozumi', status: 'ok' },
        { server: 'knowledge-base', status: 'ok' },
      ],
      manifest: exampleManifest,
    },
  },
  toText: ({ prompt }) => prompt,
  run: async (args, context: AggregatorContext) => {
    const deps = toCallDeps(context);
    requirePersona(args.persona_name, deps);
    requireNames({ user_name: args.user_name, char_name: args.char_name });
    const settled = new AbortController();
    const stop = AbortSignal.any([context.signal, settled.signal]);
    try {
      const [persona, offers] = await Promise.all([
        getPersonaPrompt(args, deps, stop),
        gather(toGathering(args, deps), deps, stop).then(requireSources),
      ]);
      return toResponse(args, persona, offers, deps);
    } finally {
      settled.abort(); // Without the persona there is no prompt, so the search for memories stops.
    }
  },
});

function requirePersona(name: string, { upstreams }: AggregatorDeps): void {
  if (upstreams.has(toPersonaServer(name))) return;
  const known = describePersonas(toPersonas(upstreams.names()));
  throw new ContextloomError('not_found', `there is no persona "${name}"; ${known}`, { field: 'persona_name' });
}

/** A call as the sources get it; the names of whom the user speaks to are not looked for. */
function toGathering(args: BuildPromptRequest, deps: AggregatorDeps): Gathering {
  const { persona_name, user_id, user_query, user_name, char_name, memory_top_k, now } = args;
  const display = `${persona_name.charAt(0).toUpperCase()}${persona_name.slice(1)}`;
  const names = [char_name ?? '', display, persona_name];
  const search_query = toSearchQuery(user_query, toRecentWords(args.conversation), names);
  const given = Object.entries({ search_query, user_name, char_name, memory_top_k, now });
  return {
    values: {
      persona_name,
      user_id,
      user_query,
      ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    },
    names,
    topK: memory_top_k,
    maxTokens: args.max_tokens ?? deps.prompts.maxTokens,
    frame: createFrame(toFrameOptions(args, deps), deps.meter.countTokens),
  };
}

/** The persona's prompt, and how it was had. */
interface PersonaAnswer {
  readonly prompt: string;
  readonly outcome: SourceStatus;
}

async function getPersonaPrompt(
  args: BuildPromptRequest,
  deps: AggregatorDeps,
  signal: AbortSignal,
): Promise<PersonaAnswer> {
  const { serve_stale_s, deadline_ms = deps.deadlines.sourceMs } = deps.sources.persona;
  const { persona_name: persona, user_name, char_name } = args;
  const sourceMs = Math.min(deadline_ms, deps.deadlines.sourceMs);
  const within = { ...deps, deadlines: { ...deps.deadlines, sourceMs } };
  const key = JSON.stringify(['persona', persona, user_name, char_name]);
  const { answer, outcome } = await withLastAnswer(key, serve_stale_s, deps, async () => {
    const found = await fetchPersonaPrompt({ persona, user_name, char_name }, within, signal);
    return found.kind === 'ok' ? { kind: 'ok' as const, value: found.prompt } : found;
  });
  if (answer.kind === 'failed') throw toPersonaError(persona, answer, deps);
  return { prompt: answer.value, outcome };
}

function toPersonaError(name: string, failure: Failure, { upstreams }: AggregatorDeps): ContextloomError {
  const { code, reason, reported } = failure;
  if (reported !== undefined) return toError(toPersonaServer(name), failure);
  const known = describePersonas(toPersonas(upstreams.names()));
  return new ContextloomError(code, `${toPersonaServer(name)} ${reason}; ${known}.`, { field: 'persona_name' });
}

function requireSources(offers: readonly SourceOffer[]): readonly SourceOffer[] {
  const missing = offers.find(({ entry, outcome }) => entry.required && 'reason' in outcome);
  if (missing === undefined || !('reason' in missing.outcome)) return offers;
  const { entry, server, outcome } = missing;
  const code = outcome.status === 'timeout' ? 'timeout' : 'unavailable';
  throw new ContextloomError(code, `${server} ${outcome.reason}; the source "${entry.name}" is required.`);
}

/** The day that relative words count from: the caller's, or today where the user is. */
function toDay(args: BuildPromptRequest, { prompts, clock, zone }: AggregatorDeps): string | undefined {
  const hasNotes = args.prompt_notes ?? (args.now !== undefined || prompts.notes === true);
  if (!hasNotes) return undefined;
  return args.now?.slice(0, 10) ?? toZonedDay(clock(), zone);
}

const toFrameOptions = (args: BuildPromptRequest, deps: AggregatorDeps): FrameOptions => ({
  today: toDay(args, deps),
  fence: args.fence ?? deps.prompts.fence,
  language: args.prompt_language ?? deps.prompts.language,
});

/** A source as clients that read no manifest know it. */
function toPromptSource({ server, status, reason }: ManifestSource): PromptSource {
  if (status === 'ok' || status === 'cached') return { server, status: 'ok' };
  return { server, status: 'failed', ...(reason !== undefined && { reason }) };
}

/** What is neither withheld nor missing: what may not be included, and what the conversation has. */
const UNTOLD_BY_RIGHT: readonly PromptOmission['reason'][] = ['instruction', 'not_trusted', 'empty', 'told'];

/** How much of what was found fits the question too little, or has no room. */
function toWithheld(leftOut: readonly PromptOmission[]): { readonly withheld?: Withheld } {
  const memories = leftOut.filter(({ reason }) => !UNTOLD_BY_RIGHT.includes(reason));
  if (memories.length === 0) return {};
  const relevances = memories.flatMap(({ relevance }) => relevance ?? []);
  const best = relevances.length === 0 ? {} : { best_relevance: Math.max(...relevances) };
  return { withheld: { count: memories.length, ...best } };
}

function toSources(args: BuildPromptRequest, { outcome }: PersonaAnswer, composed: Composed, deps: AggregatorDeps) {
  const { name } = deps.sources.persona;
  const persona = { source: name, server: toPersonaServer(args.persona_name), ...outcome };
  return [{ ...persona, lines: 0, tokens: 0, left_out: 0 }, ...composed.sources];
}

function toResponse(
  args: BuildPromptRequest,
  persona: PersonaAnswer,
  offers: readonly SourceOffer[],
  deps: AggregatorDeps,
): BuildPromptResponse {
  const { prompts, meter, explanations } = deps;
  const { placement = 'before_persona' } = args;
  const composed = compose(persona.prompt, offers, {
    meter,
    maxTokens: args.max_tokens ?? prompts.maxTokens,
    told: args.told,
    placement,
    ...toFrameOptions(args, deps),
  });
  const { prompt, tokens, tokensCut, lines, leftOut } = composed;
  const parts = [...composed.parts];
  const all = toSources(args, persona, composed, deps);
  const sources = all.map(toPromptSource);
  const status = sources.some((source) => source.status === 'failed') ? 'partial' : 'complete';
  const told = placement === 'last_message' ? parts.map(({ text }) => text) : prompt;
  const hash = explanations.toHash(args.user_id, told);
  const manifest = { status, hash, tokens, tokens_cut: tokensCut, sources: all } as const;
  const measured = parts.map(({ kind, tokens: count, digest }) => ({ kind, tokens: count, digest }));
  const about = { hash, persona: args.persona_name, placement, parts: measured, manifest };
  explanations.keep({ userId: args.user_id, explanation: { ...about, lines: [...lines], left_out: [...leftOut] } });
  return { prompt, status, sources, parts, manifest, ...toWithheld(leftOut) };
}
