import type { jobOperations } from '@contextloom/contracts';
import type { ToolCall } from '@contextloom/server-kit';
import type { z } from 'zod';
import { parseAnswer } from '../../domain/memories/memories.ts';
import type { AggregatorDeps } from '../asking/deps.ts';
import { createFailure, toError, toFailure, toUnreadable } from '../asking/failure.ts';
import { toArguments } from '../asking/to-arguments.ts';

const MEMORY_PROCESSOR = 'memory-processor';

/** Tools that read a conversation, which may ask a model many times. */
type ReadingTool = 'process_transcript' | 'extract_memories';
const READING_TOOLS: readonly string[] = ['process_transcript', 'extract_memories'] satisfies readonly ReadingTool[];

/** Of a memory processor that is not ours; what a caller can mend is nearly always the form of the conversation. */
const REFUSED =
  'could not process the conversation; the log of this server has its words. A conversation is text of "Name: words" lines, JSON, JSONL, or a list of turns';

/** One question to the memory processor: its tool, and what the answer is read by. */
export interface MemoryProcessorRequest<Output> {
  readonly tool: ReadingTool | 'list_facts' | 'list_decisions' | 'undo_decision' | keyof typeof jobOperations;
  /** Fields that are undefined are left out, never sent as null. */
  readonly args: object;
  readonly answer: z.ZodType<Output>;
}

/**
 * Has the memory processor read a conversation, and passes its progress on; or asks it about a user's facts.
 * @throws ContextloomError as the memory processor reported it, else `unavailable` or `timeout`, in our own words
 */
export async function askMemoryProcessor<Output>(
  { tool, args, answer }: MemoryProcessorRequest<Output>,
  { upstreams, deadlines: { storeMs, sourceMs }, log }: AggregatorDeps,
  { signal, reportProgress, sample }: ToolCall,
): Promise<Output> {
  const server = MEMORY_PROCESSOR;
  const context = { server, log };
  if (!upstreams.has(server)) throw toError(server, createFailure('is not in the configuration'));
  const isReading = READING_TOOLS.includes(tool);
  const result = await upstreams.call(server, tool, toArguments(args), {
    timeoutMs: isReading ? storeMs : sourceMs,
    signal,
    sample,
    onProgress: ({ progress, total, message }) => reportProgress(progress, total, message),
  });
  if (result.kind !== 'ok') {
    const failure = toFailure(result, context);
    const isForeign = result.kind === 'tool_error' && failure.reported === undefined;
    throw toError(server, isForeign && isReading ? { ...failure, reason: REFUSED } : failure);
  }
  const read = parseAnswer(answer, result.value);
  if (read !== undefined) return read;
  throw toError(server, toUnreadable(result.value.text, context));
}
