import {
  ContextloomError,
  type ConversationHistory,
  type ExtractorInfo,
  MEMORY_TAG,
  parseInput,
  userIdSchema,
} from '@contextloom/contracts';
import { createKeyedQueue } from '@contextloom/runtime/scheduling';
import type { Conversation } from '@contextloom/transcripts/transcript';
import { z } from 'zod';
import type { Decision } from './decisions/decision.ts';
import { type DatedFact, type FactQuery, listDecisions, listFacts, undoDecision } from './decisions/review.ts';
import type { Extraction, Usage } from './extractor.ts';
import { type FailedPiece, type NotSaved, type Reading, toReadings } from './ingest/extract-window.ts';
import { estimateRecording, type RecordEstimate } from './ingest/record-estimate.ts';
import { type RecordDeps, recordTranscript } from './ingest/record-transcript.ts';
import type { RecordOutcome, RecordRequest, RunOptions } from './ingest/recording.ts';
import { createUnsavedLimit } from './ingest/unsaved-limit.ts';
import { collect, workThrough } from './ingest/work-through.ts';
import { createToSpeaker, type ExtractedMemory, toEpisodeMemory, toFactMemory } from './memory-documents.ts';
import { toHead, toLooseMemoryId, toTranscriptId } from './memory-id.ts';
import { joinEstimates, joinOutcomes } from './several-conversations.ts';
import { sumUsage } from './usage.ts';
import { type EpisodeWindow, toTurnRange } from './windows/episodes.ts';
import { groupReadings, toUnits } from './windows/group-windows.ts';

/** What a memory processor is built from. */
export interface MemoryProcessorOptions extends Omit<RecordDeps, 'queue' | 'unsaved' | 'onUsage'> {
  /** Reads the conversations that callers send, one or more; rejects what is none with `invalid`. */
  readonly readHistory: ReadHistory;
  /** Gets the total use of models after each answer. */
  readonly onUsage?: ((spent: Usage) => void) | undefined;
}

/** Reads the conversations that callers send; the date is when they took place, for turns without one. */
export type ReadHistory = (history: ConversationHistory, conversationDate?: string) => readonly Conversation[];

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

/** Options of reading a conversation. */
export interface ReadOptions {
  readonly conversationDate?: string | undefined;
  readonly transcriptId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was found in a conversation. */
export interface ExtractionOutcome {
  readonly memories: readonly ExtractedMemory[];
  /** Facts that did not stand up to what was said. */
  readonly notSaved: readonly NotSaved[];
  readonly failed: readonly FailedPiece[];
  readonly usage: Usage;
}

/** A window with what was drawn from it. */
interface ReadWindow {
  readonly window: EpisodeWindow;
  readonly transcript: string;
  readonly extraction: Extraction;
}

const importanceSchema = z.number({ error: 'must be a number from 1 to 10' }).min(1).max(10);
const contentSchema = z.string().trim().min(1, 'must not be empty');

/** Turns conversations into rated memories and keeps them. All methods reject with `ContextloomError`. */
export class MemoryProcessor {
  readonly #deps: RecordDeps;
  readonly #readHistory: ReadHistory;
  #spent: Usage = sumUsage([]);

  constructor({ readHistory, onUsage, ...options }: MemoryProcessorOptions) {
    this.#readHistory = readHistory;
    this.#deps = {
      ...options,
      queue: createKeyedQueue(),
      // What one conversation may lose, all of them may together.
      unsaved: createUnsavedLimit(2 * (options.extractor.concurrency ?? 1)),
      onUsage: (usage) => {
        this.#spent = sumUsage([this.#spent, usage]);
        onUsage?.(this.#spent);
      },
    };
  }

  /** Use of the model since the processor was made, in runs that failed too. */
  get spent(): Usage {
    return this.#spent;
  }

  /** How many conversations are best recorded at once. */
  get concurrency(): number {
    return this.#deps.extractor.concurrency ?? 1;
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
    const rated = found.flatMap(({ extraction: { episode, facts, failure }, window }) => [
      ...facts.map(({ content, importance }): RatedMemory => ({ summary: content, importance })),
      // What a model has read and found nothing in is not worth remembering.
      ...(this.extractor.kind === 'model' && failure === undefined
        ? []
        : [{ summary: episode.headline ?? window.content, importance: episode.importance }]),
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
    return (await this.readConversation(conversationHistory, options)).memories;
  }

  /** The same with what was left out, what failed and the use of the model. */
  async readConversation(
    conversationHistory: ConversationHistory,
    options: ReadOptions = {},
  ): Promise<ExtractionOutcome> {
    const found = await this.#read(conversationHistory, options);
    return {
      memories: found.flatMap(({ window, extraction: { episode, facts }, transcript }) => {
        const saying = { transcript, toSpeaker: createToSpeaker({}) };
        return [...facts.map((fact) => toFactMemory(window, fact, saying)), toEpisodeMemory(window, episode, saying)];
      }),
      notSaved: found.flatMap(({ extraction: { rejected = [] } }) => rejected),
      failed: found.flatMap(({ window, transcript, extraction: { failure } }) =>
        failure === undefined ? [] : [{ source: `${transcript} ${toTurnRange(window)}`, reason: failure.reason }],
      ),
      usage: sumUsage(found.map(({ extraction: { usage } }) => usage)),
    };
  }

  /** What saving the memories of conversations would ask of a model. Sends and saves nothing. */
  async estimateTranscript(request: TranscriptRequest): Promise<ReturnType<typeof joinEstimates>> {
    const estimates: RecordEstimate[] = [];
    for (const one of this.#toRequests(request)) estimates.push(await this.estimateConversation(one));
    return joinEstimates(estimates);
  }

  /** The same for a conversation that is already read. */
  async estimateConversation(
    request: RecordRequest,
    { signal = new AbortController().signal }: RunOptions = {},
  ): Promise<RecordEstimate> {
    const userId = parseInput(userIdSchema, request.userId, ['user_id']);
    return estimateRecording({ ...request, userId }, this.#deps, signal);
  }

  /** Whether a user has corrected or deleted anything that was read. */
  async hasRetractions(userId: string): Promise<boolean> {
    return (await this.#deps.memories.listRetractions(parseInput(userIdSchema, userId, ['user_id']))).length > 0;
  }

  /** What usage costs, in US dollars, and where the price is from. */
  price(usage: Usage): { readonly usd?: number; readonly basis: string } {
    return this.#deps.extractor.price?.(usage) ?? { basis: 'no model is asked' };
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

  /** The decisions about one user's facts, newest first. */
  async listDecisions(userId: string): Promise<readonly Decision[]> {
    return listDecisions(parseInput(userIdSchema, userId, ['user_id']), this.#deps);
  }

  /** Undoes one of them: what was superseded is so again, and what was taken for a repeat is stored. */
  async undoDecision(userId: string, decisionId: string): Promise<Decision> {
    return undoDecision(parseInput(userIdSchema, userId, ['user_id']), decisionId, this.#deps);
  }

  /** A user's facts in the order in which they were said: what is so now, was so at a time, or all. */
  async listFacts(query: FactQuery): Promise<readonly DatedFact[]> {
    return listFacts({ ...query, userId: parseInput(userIdSchema, query.userId, ['user_id']) }, this.#deps);
  }

  /** Reads conversations as callers send them and saves their memories, one after the other. */
  async processTranscript(
    request: TranscriptRequest,
    { signal, onProgress }: RunOptions = {},
  ): Promise<ReturnType<typeof joinOutcomes>> {
    const requests = this.#toRequests(request);
    const outcomes: RecordOutcome[] = [];
    for (const one of requests) {
      // Of several, what is left is not counted before it is read: each tells as much as the others.
      const tell = (done: number, total: number): void => {
        if (requests.length === 1) onProgress?.(done, total);
        else if (done === total) onProgress?.(outcomes.length + 1, requests.length);
      };
      outcomes.push(await this.processConversation(one, { signal, onProgress: tell }));
    }
    return joinOutcomes(outcomes);
  }

  /** Rejects what `processTranscript` could not read, saving nothing. */
  checkTranscript(request: TranscriptRequest): void {
    this.#toRequests(request);
  }

  /** Saves the memories of a conversation that is already read. */
  async processConversation(request: RecordRequest, options: RunOptions = {}): Promise<RecordOutcome> {
    const userId = parseInput(userIdSchema, request.userId, ['user_id']);
    return recordTranscript({ ...request, userId }, this.#deps, options);
  }

  /** The conversations of a request, each by itself. */
  #toRequests({ conversationHistory, conversationDate, ...rest }: TranscriptRequest): readonly RecordRequest[] {
    return this.#readAll(conversationHistory, conversationDate, rest.transcriptId).map((conversation) => ({
      ...rest,
      conversation,
    }));
  }

  #readAll(history: ConversationHistory, date: string | undefined, transcriptId: string | undefined) {
    const conversations = this.#readHistory(history, date);
    if (transcriptId === undefined || conversations.length === 1) return conversations;
    const message = `conversation_history holds ${conversations.length} conversations, and transcript_id names one`;
    throw new ContextloomError('invalid', message, { field: 'transcript_id' });
  }

  async #read(history: ConversationHistory, { conversationDate, transcriptId, signal }: ReadOptions) {
    const found: ReadWindow[] = [];
    for (const conversation of this.#readAll(history, conversationDate, transcriptId))
      found.push(...(await this.#readOne(conversation, transcriptId, signal)));
    return found;
  }

  async #readOne(conversation: Conversation, transcriptId: string | undefined, signal: AbortSignal | undefined) {
    const transcript = transcriptId ?? conversation.id ?? toTranscriptId(toHead(conversation));
    const { extractor, countTokens } = this.#deps;
    const stop = signal ?? new AbortController().signal;
    const all = await collect(toReadings(conversation, countTokens), stop);
    const readings = groupReadings(all, extractor.maxGroupTokens ?? 0, countTokens);
    const found = new Map<Reading, ReadWindow>();
    const read = async (one: Reading): Promise<void> => {
      const { window, context } = one;
      found.set(one, { window, transcript, extraction: await extractor.extract(window, context, stop) });
    };
    const work = async (unit: readonly Reading[]): Promise<void> => void (await Promise.all(unit.map(read)));
    await workThrough(toUnits(readings), work, { concurrency: extractor.concurrency ?? 1, signal: stop });
    if (found.size < readings.length) throw new ContextloomError('unavailable', 'the reading was stopped');
    return readings.flatMap((one) => found.get(one) ?? []);
  }
}
