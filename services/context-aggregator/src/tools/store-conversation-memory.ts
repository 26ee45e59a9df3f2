import {
  type JsonObject,
  type Memory,
  type ProcessTranscriptRequest,
  type ProcessTranscriptResponse,
  processTranscriptRequestSchema,
  processTranscriptResponseSchema,
  type StoreConversationResponse,
  storeConversationResponseSchema,
} from '@contextloom/contracts';
import { defineTool, type ToolCall } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../deps.ts';
import { parseAnswer } from '../domain/memories.ts';
import { createFailure, toError, toFailure } from '../sources/failure.ts';

const MEMORY_PROCESSOR = 'memory-processor';

/** Its own words stay in the log; what a caller can mend is nearly always the form of the conversation. */
const REFUSED =
  'could not process the conversation; the log of this server has its words. A conversation is text of "Name: words" lines, JSON, JSONL, or a list of turns';

/** Turns a conversation into memories of one user. */
export const storeConversationMemory = defineTool({
  name: 'store_conversation_memory',
  title: 'Remember a conversation',
  description:
    'Turns a conversation into rated memories of the user and saves them. The same conversation a second time adds nothing.',
  input: processTranscriptRequestSchema,
  output: storeConversationResponseSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: async (args, deps: AggregatorDeps, call) => toStored(await processTranscript(args, deps, call)),
});

async function processTranscript(
  args: ProcessTranscriptRequest,
  { upstreams, deadlines: { storeMs }, log }: AggregatorDeps,
  { signal, reportProgress }: ToolCall,
): Promise<ProcessTranscriptResponse> {
  const server = MEMORY_PROCESSOR;
  const context = { server, deadlineMs: storeMs, log };
  if (!upstreams.has(server)) throw toError(server, createFailure('is not in the configuration'));
  const result = await upstreams.call(server, 'process_transcript', toArguments(args), {
    timeoutMs: storeMs,
    signal,
    onProgress: ({ progress, total, message }) => reportProgress(progress, total, message),
  });
  if (result.kind !== 'ok') {
    const failure = toFailure(result, context);
    throw toError(server, result.kind === 'tool_error' ? { ...failure, reason: REFUSED } : failure);
  }
  const processed = parseAnswer(processTranscriptResponseSchema, result.value);
  if (processed !== undefined) return processed;
  throw toError(server, toFailure({ kind: 'invalid', message: result.value.text }, context));
}

/** Absent fields are left out, never sent as null. */
function toArguments(request: ProcessTranscriptRequest): JsonObject {
  return JSON.parse(JSON.stringify(request));
}

function toStored({ not_saved: _notSaved, ...processed }: ProcessTranscriptResponse): StoreConversationResponse {
  const best = findMostImportant(processed.saved_memories);
  return {
    ...processed,
    memory_saved: best !== undefined,
    memory_content: best?.content ?? null,
    importance: best?.importance ?? null,
    memory_type: best?.memory_type ?? null,
  };
}

function findMostImportant(memories: readonly Memory[]): Memory | undefined {
  return memories.reduce<Memory | undefined>(
    (best, memory) => (best === undefined || memory.importance > best.importance ? memory : best),
    undefined,
  );
}
