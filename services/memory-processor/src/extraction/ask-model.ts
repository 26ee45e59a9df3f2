import { isContextloomError } from '@contextloom/contracts';
import type { ChatMessage, ChatModel, JsonAnswer } from '@contextloom/llm';
import type { Usage } from '../domain/extractor.ts';
import {
  answerSchema,
  askedSchema,
  type FactDraft,
  type Malformed,
  parseDraft,
} from '../domain/grounding/fact-draft.ts';
import { type PromptMaterial, toExtractionMessages, toRepairMessage } from '../prompts/extraction-prompt.ts';

/** Most tokens of an answer; models that reason spend them on that too. */
export const MAX_ANSWER_TOKENS = 4_000;
/** How much of a bad answer the model is shown again. */
const SHOWN_AGAIN = 1_000;

/** What a model answered to some turns. */
export interface Reading {
  readonly drafts: readonly FactDraft[];
  readonly malformed: readonly Malformed[];
  /** What was wrong with the last answer, when nothing of it could be read. */
  readonly problem?: string;
}

const shape = { name: 'memories', schema: answerSchema, asked: askedSchema };

type Answer = JsonAnswer<unknown[]>;

function toReading(answer: Answer): Reading {
  if (answer.kind !== 'ok') return { drafts: [], malformed: [], problem: answer.detail };
  const parsed = answer.value.map(parseDraft);
  return {
    drafts: parsed.flatMap((one) => ('draft' in one ? [one.draft] : [])),
    malformed: parsed.flatMap((one) => ('malformed' in one ? [one.malformed] : [])),
  };
}

/** What a model is told of its answer; undefined when there is nothing to mend, or no use in asking again. */
function toComplaint(answer: Answer, { malformed: [first], problem }: Reading): string | undefined {
  if (answer.kind === 'refused') return undefined;
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
  /** How often an answer that has not the form asked for is asked for again. */
  readonly repairs?: number;
  /** Told of every call that was answered, whatever came of it. */
  readonly onUsage: (usage: Usage) => void;
}

/**
 * Asks a model for the facts of some turns, and again, with the fault, when the answer or a part of it has not the form
 * that was asked for.
 * @throws ContextloomError when the model cannot be asked
 */
export async function askModel(
  model: ChatModel,
  material: PromptMaterial,
  { signal, repairs = 1, onUsage }: AskOptions,
): Promise<Reading> {
  const messages: readonly ChatMessage[] = toExtractionMessages(material);
  const ask = async (asked: readonly ChatMessage[]): Promise<Answer> => {
    const request = { messages: asked, maxTokens: MAX_ANSWER_TOKENS, temperature: 0, signal };
    const answer = await model.completeJson(request, shape);
    onUsage({ calls: 1, inputTokens: answer.usage.input, outputTokens: answer.usage.output });
    return answer;
  };
  const answer = await ask(messages);
  const first = toReading(answer);
  const complaint = repairs > 0 ? toComplaint(answer, first) : undefined;
  if (complaint === undefined) return first;
  const own: ChatMessage = { role: 'assistant', content: toOwnWords(answer) };
  const again = ask([...messages, own, toRepairMessage(complaint, material.language)]).then(toReading);
  if (first.problem !== undefined) return again;
  // A part of the first answer, which is paid for, is better than nothing of the second.
  const second = await again.catch((error: unknown) => {
    if (!isContextloomError(error)) throw error;
    return first;
  });
  return second.problem === undefined ? second : first;
}
