import {
  ContextloomError,
  type ConversationHistory,
  type ExtractorInfo,
  MEMORY_TAG,
  parseInput,
  userIdSchema,
} from '@contextloom/contracts';
import { z } from 'zod';
import { toReadings } from './extract-window.ts';
import { parseHistory } from './history.ts';
import { type ExtractedMemory, toEpisodeMemory, toFactMemory } from './memory-documents.ts';
import { toLooseMemoryId, toTranscriptId } from './memory-id.ts';
import {
  type RecordDeps,
  type RecordOutcome,
  type RecordRequest,
  type RunOptions,
  recordTranscript,
} from './record-transcript.ts';

/** What a memory processor is built from. */
export type MemoryProcessorOptions = RecordDeps;

/** A single memory: what it says, and how much it matters, 1 to 10. */
export interface RatedMemory {
  readonly summary: string;
  readonly importance: number;
}

/** A conversation as callers send it, and for whom it is remembered. */
export interface TranscriptRequest extends Omit<RecordRequest, 'conversation'> {
  readonly conversationHistory: ConversationHistory;
  /** When it took place, for turns without a timestamp. */
  readonly conversationDate?: string | undefined;
}

/** What reading a conversation may be told besides. */
export interface ReadOptions {
  readonly conversationDate?: string | undefined;
  readonly transcriptId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const importanceSchema = z.number({ error: 'must be a number from 1 to 10' }).min(1).max(10);
const contentSchema = z.string().trim().min(1, 'must not be empty');

/** Turns conversations into rated memories and keeps them. All methods reject with `ContextloomError`. */
export class MemoryProcessor {
  readonly #deps: RecordDeps;

  constructor(options: MemoryProcessorOptions) {
    this.#deps = options;
  }

  /** Who rates and draws facts: written rules, or a model by name. */
  get extractor(): ExtractorInfo {
    return this.#deps.extractor.info;
  }

  /** The one memory of a conversation that matters most; null when nothing in it is worth remembering. Saves nothing. */
  async extractAndRateMemory(
    conversationHistory: ConversationHistory,
    options: ReadOptions = {},
  ): Promise<RatedMemory | null> {
    const found = await this.#read(conversationHistory, options);
    const rated = found.flatMap(({ extraction: { episode, facts }, window }) => [
      ...facts.map(({ content, importance }): RatedMemory => ({ summary: content, importance })),
      { summary: episode.headline ?? window.content, importance: episode.importance },
    ]);
    const best = rated.reduce<RatedMemory | null>(
      (top, memory) => (top === null || memory.importance > top.importance ? memory : top),
      null,
    );
    return best === null || best.importance < this.#deps.threshold ? null : best;
  }

  /** Every memory of a conversation: its episodes, and the facts drawn from them. Saves nothing. */
  async extractMemories(
    conversationHistory: ConversationHistory,
    options: ReadOptions = {},
  ): Promise<readonly ExtractedMemory[]> {
    const found = await this.#read(conversationHistory, options);
    return found.flatMap(({ window, extraction: { episode, facts }, transcript }) => [
      ...facts.map((fact) => toFactMemory(window, fact, transcript)),
      toEpisodeMemory(window, episode, transcript),
    ]);
  }

  /** Saves one memory as it stands, whatever its importance; true once the knowledge base has it. */
  async saveMemory(userId: string, content: string, importance: number): Promise<boolean> {
    const user = parseInput(userIdSchema, userId, ['userId']);
    const text = parseInput(contentSchema, content, ['content']);
    const metadata = {
      user_id: user,
      importance: parseInput(importanceSchema, importance, ['importance']),
      memory_type: 'knowledge',
      created_at: this.#deps.clock().toISOString(),
    };
    const document = { doc_id: toLooseMemoryId(user, text), content: text, tags: [MEMORY_TAG], metadata };
    await this.#deps.memories.save([document]);
    return true;
  }

  /** Reads a conversation as callers send it and saves its memories. */
  async processTranscript(request: TranscriptRequest, options: RunOptions = {}): Promise<RecordOutcome> {
    const { conversationHistory, conversationDate, ...rest } = request;
    return this.processConversation(
      { ...rest, conversation: parseHistory(conversationHistory, conversationDate) },
      options,
    );
  }

  /** Saves the memories of a conversation that is already read. */
  async processConversation(request: RecordRequest, options: RunOptions = {}): Promise<RecordOutcome> {
    const userId = parseInput(userIdSchema, request.userId, ['user_id']);
    return recordTranscript({ ...request, userId }, this.#deps, options);
  }

  async #read(history: ConversationHistory, { conversationDate, transcriptId, signal }: ReadOptions) {
    const conversation = parseHistory(history, conversationDate);
    const transcript = transcriptId ?? conversation.id ?? toTranscriptId(conversation);
    const stop = signal ?? new AbortController().signal;
    const found = [];
    for (const { window, context } of toReadings(conversation, this.#deps.countTokens)) {
      if (stop.aborted) throw new ContextloomError('unavailable', 'the reading was stopped');
      found.push({ window, transcript, extraction: await this.#deps.extractor.extract(window, context, stop) });
    }
    return found;
  }
}
