import { arbitrationActions } from '@contextloom/contracts/project-memory';
import { type ChatModel, type ChatRequest, createCircuitBreaker, type JsonShape } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { z } from 'zod';
import { type Analyst, analyseByRules, type Side, toSummary, toTags } from '../domain/ingest/analysis.ts';
import { toAnalysisMessages } from '../prompts/analysis.ts';
import { toArbitrationMessages } from '../prompts/arbitration.ts';

/** What reads memories. */
export interface AnalystOptions {
  /** Written rules read them without one. */
  readonly model: ChatModel | undefined;
  readonly log: Log;
  /** How long an ingest waits for an answer, in milliseconds; 20 s by default. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 20_000;

const analysisShape = {
  name: 'note',
  schema: z.object({ summary: z.string().trim().min(1), tags: z.array(z.string()) }),
};

const verdictShape = {
  name: 'verdict',
  schema: z.object({
    action: z.preprocess(
      (action) =>
        typeof action === 'string'
          ? action
              .trim()
              .toUpperCase()
              .replace(/[\s-]+/g, '_')
          : action,
      z.enum(arbitrationActions),
    ),
  }),
  promptSchema: z.object({ action: z.enum(arbitrationActions) }),
};

/** Builds the function that asks the model; undefined where it gives no answer that can be used, for whatever reason. */
function createAsk({ model, log, deadlineMs = DEADLINE_MS }: AnalystOptions) {
  const breaker = createCircuitBreaker();
  return async <S extends z.ZodType>(
    messages: ChatRequest['messages'],
    shape: JsonShape<S>,
  ): Promise<z.output<S> | undefined> => {
    if (model === undefined || breaker.openReason() !== undefined) return undefined;
    try {
      const signal = AbortSignal.timeout(deadlineMs);
      const request = { messages, maxTokens: 1_000, temperature: 0, signal };
      const answer = await breaker.run(() => model.completeJson(request, shape));
      if (answer.kind === 'ok') return answer.value;
      log.warn({ requested: shape.name, detail: answer.detail }, 'the model gave no answer that can be used');
    } catch (cause) {
      log.warn({ requested: shape.name, cause }, 'the model could not be asked');
    }
    return undefined;
  };
}

/** Builds what summarises memories and rules on two of one subject. Without an answer of a model, rules summarise and both are kept. */
export function createAnalyst(options: AnalystOptions): Analyst {
  const { model } = options;
  const ask = createAsk(options);
  return {
    analyse: async (content) => {
      const answer = await ask(toAnalysisMessages(content), analysisShape);
      if (answer === undefined) return analyseByRules(content);
      return { summary: toSummary(answer.summary), tags: toTags(answer.tags, content) };
    },
    ...(model !== undefined && {
      arbitrate: async (stored: Side, incoming: Side) => {
        const answer = await ask(toArbitrationMessages(stored, incoming), verdictShape);
        return answer === undefined ? { action: 'KEEP_BOTH' as const } : { action: answer.action, model: model.model };
      },
    }),
  };
}
