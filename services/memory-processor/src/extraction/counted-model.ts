import { type ChatAnswer, type ChatModel, type ChatRequest, countTokens, type JsonAnswer } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import type { ModelBudget } from '../domain/budget/model-budget.ts';
import type { Usage } from '../domain/extractor.ts';

/** What an answer took; counted here where the endpoint does not tell. */
function toUsage({ messages }: ChatRequest, { usage }: Pick<ChatAnswer, 'usage'>, text: string): Usage {
  if (usage.input + usage.output > 0) return { calls: 1, inputTokens: usage.input, outputTokens: usage.output };
  const inputTokens = messages.reduce((sum, { content }) => sum + countTokens(content), 0);
  return { calls: 1, inputTokens, outputTokens: countTokens(text) };
}

const toText = (answer: JsonAnswer<unknown>): string =>
  answer.kind === 'ok' ? JSON.stringify(answer.value) : answer.raw;

/** A model each of whose answers is counted before it is handed on: a process that is ended then has counted it. */
export function createCountedModel(model: ChatModel, budget: Pick<ModelBudget, 'count'>, log: Log): ChatModel {
  const count = async (usage: Usage): Promise<void> => {
    // The answer is paid for: it is not thrown away since it could not be counted.
    await budget
      .count(usage)
      .catch((cause: unknown) => log.warn({ cause, usage }, 'the budget could not count a call'));
  };
  return {
    model: model.model,
    address: model.address,
    complete: async (request) => {
      const answer = await model.complete(request);
      await count(toUsage(request, answer, answer.text));
      return answer;
    },
    completeJson: async (request, shape) => {
      const answer = await model.completeJson(request, shape);
      await count(toUsage(request, answer, toText(answer)));
      return answer;
    },
  };
}
