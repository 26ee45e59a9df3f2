import { isContextloomError, type Language } from '@contextloom/contracts';
import type { ChatMessage, ChatModel, JsonAnswer } from '@contextloom/llm';
import type { Usage } from '../domain/extractor.ts';
import { answerSchema } from '../domain/grounding/answer/answer-shape.ts';
import { askedSchema, type FactDraft, type Malformed, parseDraft } from '../domain/grounding/answer/fact-draft.ts';
import {
  type PromptMaterial,
  toExtractionMessages,
  toRepairMessage,
  toRestMessage,
} from '../prompts/extraction-prompt.ts';

/** Most tokens of an answer; models that reason spend them on that too. */
export const MAX_ANSWER_TOKENS = 4_000;
/** How much of a bad answer the model is shown again. */
const SHOWN_AGAIN = 1_000;
/** How often the rest of an answer that was cut off is requested. */
const MAX_RESTS = 3;

/** What a model answered to some turns. */
export interface Reading {
  readonly drafts: readonly FactDraft[];
  readonly malformed: readonly Malformed[];
  /** What was wrong with the last answer, when not all of it could be read. */
  readonly problem?: string;
  /** Whether the model, or a filter in front of it, said no. */
  readonly isRefused?: boolean;
}

const shape = { name: 'memories', schema: answerSchema, promptSchema: askedSchema };

type Answer = JsonAnswer<unknown[]>;

function toReading(answer: Answer): Reading {
  const parts = (answer.kind === 'ok' ? answer.value : answer.part) ?? [];
  const parsed = parts.map(parseDraft);
  return {
    drafts: parsed.flatMap((one) => ('draft' in one ? [one.draft] : [])),
    malformed: parsed.flatMap((one) => ('malformed' in one ? [one.malformed] : [])),
    ...(answer.kind !== 'ok' && { problem: answer.detail, isRefused: answer.kind === 'refused' }),
  };
}

/** What a model reads about its answer; undefined when there is nothing to mend, or no use in asking again. */
function toComplaint(answer: Answer, { drafts, malformed: [first], problem }: Reading): string | undefined {
  if (answer.kind === 'refused' || (problem === undefined && drafts.length > 0)) return undefined;
  return problem ?? first?.problem;
}

/** What the model is shown of its own answer. */
function toOwnWords(answer: Answer): string {
  const text = answer.kind === 'ok' ? JSON.stringify(answer.value) : answer.raw;
  return text.trim() === '' ? '{}' : text.slice(0, SHOWN_AGAIN);
}

/** How a model is asked. */
export interface AskOptions {
  readonly signal: AbortSignal;
  /** How often an answer in another form than requested is asked for again. */
  readonly repairs?: number;
  /** Most tokens of an answer. */
  readonly maxAnswerTokens?: number | undefined;
  /** Called for every call that was answered, whatever came of it. */
  readonly onUsage: (usage: Usage) => void;
}

type Ask = (messages: readonly ChatMessage[]) => Promise<Answer>;

/** A later call that adds to an answer which is paid for: when the endpoint fails it, what there is stays. */
async function tryAgain(asking: Promise<Answer>): Promise<Answer | undefined> {
  return asking.catch((error: unknown) => {
    if (!isContextloomError(error)) throw error;
    return undefined;
  });
}

/** Asks for what is missing of an answer that was cut off, as long as each further answer brings something. */
async function askForRest(ask: Ask, first: Reading, messages: readonly ChatMessage[], language: Language) {
  let whole = first;
  for (let rests = 0; rests < MAX_RESTS && whole.problem !== undefined; rests += 1) {
    const said = JSON.stringify({ memories: whole.drafts.map(({ content, evidence }) => ({ content, evidence })) });
    const own: ChatMessage = { role: 'assistant', content: said };
    const answer = await tryAgain(ask([...messages, own, toRestMessage(language)]));
    if (answer === undefined) return whole;
    const rest = toReading(answer);
    const { problem: _problem, ...given } = whole;
    const fresh = rest.drafts.filter(({ content }) => !whole.drafts.some((known) => known.content === content));
    const isDone = rest.problem === undefined || fresh.length === 0;
    whole = {
      ...given,
      drafts: [...whole.drafts, ...fresh],
      malformed: [...whole.malformed, ...rest.malformed],
      ...(rest.problem !== undefined && { problem: rest.problem }),
    };
    if (isDone) return whole;
  }
  return whole;
}

/**
 * Asks a model for the facts of some turns, and again, with the fault, when nothing of the answer could be read; of an answer
 * that was cut off it asks for the rest.
 * @throws ContextloomError when the model cannot be reached
 */
export async function askModel(
  model: ChatModel,
  material: PromptMaterial,
  { signal, repairs = 1, maxAnswerTokens = MAX_ANSWER_TOKENS, onUsage }: AskOptions,
): Promise<Reading> {
  const messages: readonly ChatMessage[] = toExtractionMessages(material);
  const ask: Ask = async (messages) => {
    const request = { messages, maxTokens: maxAnswerTokens, temperature: 0, signal };
    const answer = await model.completeJson(request, shape);
    onUsage({ calls: 1, inputTokens: answer.usage.input, outputTokens: answer.usage.output });
    return answer;
  };
  const answer = await ask(messages);
  const first = toReading(answer);
  if (first.problem !== undefined && first.drafts.length > 0 && first.isRefused !== true) {
    return askForRest(ask, first, messages, material.language);
  }
  const complaint = repairs > 0 ? toComplaint(answer, first) : undefined;
  if (complaint === undefined) return first;
  const own: ChatMessage = { role: 'assistant', content: toOwnWords(answer) };
  const again = ask([...messages, own, toRepairMessage(complaint, material.language)]);
  if (first.problem !== undefined) return toReading(await again);
  // An answer in the right form without a fact in it is better than a second one of no use.
  const second = await tryAgain(again);
  const mended = second === undefined ? first : toReading(second);
  return mended.problem === undefined ? mended : first;
}
