import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { type ChatMessage, type ChatModel, countTokens, cutToTokens } from '@contextloom/llm';
import { gradeHits } from '@contextloom/retrieval/ranking';
import type { Log } from '@contextloom/runtime';
import { LRUCache } from 'lru-cache';
import {
  type Chat,
  type ChatMessageRequest,
  type ChatOutcome,
  type LoadImages,
  type MemoryUpdate,
  requireAnswer,
} from '../domain/chat.ts';
import type { RecalledMemory } from '../domain/recall.ts';
import type { TypedMemory } from '../domain/typed-memory.ts';
import { toKeyNotice } from '../domain/vault/vault.ts';
import { fenceMemories, toSystemPrompt } from '../prompts/chat-prompt.ts';
import { chooseKeepsakes, type Keeping } from './keep.ts';

/** The last turns of conversations, word for word, in this process only. */
interface History {
  readonly read: (key: string) => readonly ChatMessage[];
  readonly add: (key: string, question: string, answer: string) => void;
}

interface Turn {
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
}

/** Most conversations that are kept. */
const MAX_CONVERSATIONS = 1_000;

/** Builds a history that keeps the latest whole turns of each conversation within a budget of tokens. */
function createHistory(maxTokens: number): History {
  const conversations = new LRUCache<string, readonly Turn[]>({ max: MAX_CONVERSATIONS });
  return {
    read: (key) => (conversations.get(key) ?? []).flatMap(({ messages }) => messages),
    add: (key, question, answer) => {
      if (maxTokens === 0) return;
      // Half for each, so that one long message does not leave a turn without its other side.
      const [prompted, answered] = [question, answer].map((text) => cutToTokens(text, Math.floor(maxTokens / 2)));
      const messages: readonly ChatMessage[] = [
        { role: 'user', content: prompted ?? '' },
        { role: 'assistant', content: answered ?? '' },
      ];
      const turn = { messages, tokens: messages.reduce((sum, { content }) => sum + countTokens(content), 0) };
      const turns = [...(conversations.get(key) ?? []), turn];
      let total = turns.reduce((sum, { tokens }) => sum + tokens, 0);
      while (total > maxTokens && turns.length > 1) total -= turns.shift()?.tokens ?? 0;
      conversations.set(key, turns);
    },
  };
}

/** What chats are answered with. */
export interface ChatOptions {
  readonly model: ChatModel;
  readonly memory: Pick<TypedMemory, 'facts' | 'recall' | 'remember'>;
  readonly loadImages: LoadImages;
  /** Whom the assistant is, in Markdown. */
  readonly persona?: string | undefined;
  /** How much of a conversation is repeated to the model, in tokens. */
  readonly historyTokens: number;
  readonly newId: () => string;
  /** The time zone of the days (IANA). */
  readonly zone: string;
  readonly log: Log;
}

const RECALLED = 10;
const MAX_ANSWER_TOKENS = 4_000;
const MAX_QUERY = 2_000;

/** As much of what was found as is sure; all where a backend tells no relevance. */
function chooseIncluded(found: readonly RecalledMemory[]): readonly RecalledMemory[] {
  const grade = gradeHits(found.map(({ relevance }) => relevance));
  if (grade === undefined) return found;
  const relevant = found.filter(({ relevance = 0 }) => relevance >= grade.minRelevance);
  return relevant.slice(0, grade.most?.passages);
}

async function recallFor(
  userId: string,
  message: string,
  memory: ChatOptions['memory'],
  signal: AbortSignal,
): Promise<readonly RecalledMemory[]> {
  const prompted = { query: message.slice(0, MAX_QUERY), limit: RECALLED, isRevealing: false, signal };
  const [core, found] = await Promise.all([memory.facts(userId, signal), memory.recall(userId, prompted)]);
  return [...new Map([...core, ...chooseIncluded(found)].map((one) => [one.id, one])).values()];
}

/** Keeps what was chosen, one by one; what cannot be kept is reported and stops nothing. */
async function keep(
  userId: string,
  keeping: Keeping,
  { signal }: ChatMessageRequest,
  { memory, log }: ChatOptions,
): Promise<Pick<ChatOutcome, 'updates' | 'note'>> {
  if ('problem' in keeping) return { updates: [], note: keeping.problem };
  const updates: MemoryUpdate[] = [];
  let note: string | undefined;
  for (const { type, content, context, importance } of keeping.memories) {
    try {
      const {
        id,
        kind,
        type: stored,
        shown,
        keyMadeAt,
      } = await memory.remember(userId, { type, content, context, importance, signal });
      updates.push({ id, kind, type: stored, shown, importance });
      if (keyMadeAt !== undefined) note = toKeyNotice(keyMadeAt);
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      log.warn({ code: error.code, cause: error.cause }, 'a memory of a chat could not be kept');
      note = error.message;
    }
  }
  return { updates, note };
}

/** What is worth keeping is nice to have: the answer stands without it, and says so. */
async function chooseSafely(message: string, signal: AbortSignal, { model, log }: ChatOptions): Promise<Keeping> {
  try {
    return await chooseKeepsakes(model, message, signal);
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    log.warn({ code: error.code, cause: error.cause }, 'the model could not be asked what to keep');
    return { problem: error.message };
  }
}

/** Builds the chat over a model: search, answer, and keep what is worth keeping. */
export function createChat(options: ChatOptions): Chat {
  const { model, memory, loadImages, persona, historyTokens, newId, zone } = options;
  const history = createHistory(historyTokens);
  const system = toSystemPrompt(persona);

  async function answer(userId: string, request: ChatMessageRequest, signal: AbortSignal): Promise<string> {
    const { message, imageUris, conversation, onText } = request;
    const images = await loadImages(imageUris, signal);
    const memories = fenceMemories(await recallFor(userId, message, memory, signal), newId(), zone);
    const content = memories === '' ? message : `${memories}\n\nThe user says:\n${message}`;
    const past = history.read(JSON.stringify([userId, conversation]));
    const { text, finish } = await model.complete({
      messages: [{ role: 'system', content: system }, ...past, { role: 'user', content, images }],
      maxTokens: MAX_ANSWER_TOKENS,
      signal,
      onText,
    });
    if (finish === 'refused') throw new ContextloomError('unavailable', 'the model refuses to answer this message');
    requireAnswer(text, 'the model');
    return text;
  }

  return async (userId, request) => {
    const { kept, memorizing: isWanted, conversation } = request;
    const memorizing = isWanted && kept !== '';
    // One that fails ends the other, which has no listener any more.
    const failed = new AbortController();
    const signal = AbortSignal.any([request.signal, failed.signal]);
    const keeping: Promise<Keeping> = memorizing
      ? chooseSafely(kept, signal, options)
      : Promise.resolve({ memories: [] });
    try {
      // Both at once: what to keep is read from the message alone.
      const [response, chosen] = await Promise.all([answer(userId, request, signal), keeping]);
      request.signal.throwIfAborted();
      if (!memorizing) return { response, updates: [] };
      history.add(JSON.stringify([userId, conversation]), kept, response);
      return { response, ...(await keep(userId, chosen, request, options)) };
    } catch (error) {
      failed.abort();
      throw error;
    }
  };
}
