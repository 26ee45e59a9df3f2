import { isContextloomError } from '@contextloom/contracts';
import { detectMainLanguage } from '@contextloom/languages';
import type { ChatModel } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { z } from 'zod';
import type { FactJudge, Verdict } from '../domain/decisions/decide-facts.ts';
import { relationSchema } from '../domain/decisions/decision.ts';
import { DECISION_PROMPT_VERSION, toDecisionMessages } from '../prompts/decision-prompt.ts';

const MAX_ANSWER_TOKENS = 2_000;

const decisionSchema = z.strictObject({
  fact: z.number().int().min(1),
  relation: relationSchema,
  of: z.array(z.number().int().min(1)).min(1),
});
const answerSchema = z.strictObject({ decisions: z.array(decisionSchema) });

/** What a judge asks with. */
export interface ModelJudgeOptions {
  readonly model: ChatModel;
  readonly log: Log;
}

const NOTHING = { verdicts: [], usage: { calls: 0, inputTokens: 0, outputTokens: 0 } } as const;

/** The judge that asks a model, which answers by number and nothing else; what it cannot be asked for counts as new. */
export function createModelJudge({ model, log }: ModelJudgeOptions): FactJudge {
  return {
    decider: { name: model.model, promptVersion: DECISION_PROMPT_VERSION },
    judge: async (statements, firstNew, signal) => {
      const language = detectMainLanguage(statements.map(({ text }) => text).join('\n'));
      const messages = toDecisionMessages(statements, firstNew, language);
      try {
        const request = { messages, maxTokens: MAX_ANSWER_TOKENS, temperature: 0, signal };
        const answer = await model.completeJson(request, { name: 'decisions', schema: answerSchema });
        const usage = { calls: 1, inputTokens: answer.usage.input, outputTokens: answer.usage.output };
        if (answer.kind !== 'ok') {
          log.warn({ problem: answer.detail }, 'no decision could be read; the facts are kept as new ones');
          return { verdicts: [], usage };
        }
        const verdicts = answer.value.decisions.map(
          ({ fact, relation, of }): Verdict => ({ fact: fact - 1, relation, of: of.map((number) => number - 1) }),
        );
        return { verdicts, usage };
      } catch (error) {
        if (!isContextloomError(error)) throw error;
        log.warn({ cause: error }, 'the model could not be asked for decisions; the facts are kept as new ones');
        return NOTHING;
      }
    },
  };
}
