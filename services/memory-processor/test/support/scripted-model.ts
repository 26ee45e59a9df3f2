import { createChatModel } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import {
  type RecordedRequest,
  type ScriptedOpenAi,
  type ScriptedOpenAiOptions,
  type Step,
  startScriptedOpenAi,
} from '@contextloom/testing/llm';
import type { Extractor } from '../../src/domain/extractor.ts';
import { createRulesExtractor } from '../../src/domain/rules-extractor.ts';
import type { FactCheck } from '../../src/extraction/ask-support.ts';
import { createModelExtractor } from '../../src/extraction/model-extractor.ts';

/** An extractor that asks a real endpoint, which answers from a script. */
export interface ScriptedModel {
  readonly endpoint: ScriptedOpenAi;
  readonly extractor: Extractor;
}

/** How the model is called. */
export interface ScriptedModelOptions extends ScriptedOpenAiOptions {
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  readonly attempts?: number;
  /** Each window is read by itself unless this is told. */
  readonly maxGroupTokens?: number;
  /** What a person who speaks as `user` alone is called. */
  readonly userName?: string;
  /** Which facts it is asked about a second time: none unless told otherwise, for suites of the first answer. */
  readonly checkFacts?: FactCheck;
  /** Whether a call that is tried again waits as long as it does outside of tests. */
  readonly waits?: boolean;
}

/** Starts an endpoint and an extractor that asks it. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const {
    concurrency = 8,
    timeoutMs = 60_000,
    attempts = 2,
    maxGroupTokens,
    userName,
    checkFacts = 'off',
    waits = false,
  } = options;
  const endpoint = await startScriptedOpenAi(options);
  const { url: baseUrl, apiKey } = endpoint;
  const model = await createChatModel({
    model: 'scripted',
    baseUrl,
    apiKey,
    concurrency,
    timeoutMs,
    attempts,
    ...(!waits && { sleep: async () => undefined }),
  });
  const price = () => ({ basis: 'free' });
  return {
    endpoint,
    extractor: createModelExtractor({
      model,
      rules: createRulesExtractor(),
      concurrency,
      maxGroupTokens,
      userName,
      checkFacts,
      price,
      log: silentLog,
    }),
  };
}

/** A memory as a model writes it, saying what is given and otherwise something harmless. */
export function toMemory(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    importance: 6,
    memory_type: 'knowledge',
    emotional_valence: null,
    tags: [],
    occurred_at: null,
    evidence: ['1'],
    ...fields,
  };
}

/** The answer with these memories. */
export function toAnswerText(...memories: readonly Readonly<Record<string, unknown>>[]): string {
  return JSON.stringify({ memories: memories.map(toMemory) });
}

/** The numbers of the turns that a request asks to read. */
export function labelsOf({ body }: RecordedRequest): readonly number[] {
  const piece = String(body.messages?.[1]?.content).split('The piece to read:')[1] ?? '';
  return [...piece.matchAll(/^\[(\d+)\]/gmu)].map(([, label]) => Number(label));
}

/** The number of the first turn that a request asks to read. */
export const firstTurn = (request: RecordedRequest): number => labelsOf(request)[0] ?? Number.NaN;

/** Answers with one fact about the first turn of the window, of those that see a film in each turn. */
export const drawOne = (request: RecordedRequest): Step & { readonly kind: 'answer' } => {
  const turn = firstTurn(request);
  return { kind: 'answer', text: toAnswerText({ content: `Anna saw film number ${turn}.`, evidence: [String(turn)] }) };
};

/** Whether a request is the question whether facts were said. */
export const isSecond = ({ body }: RecordedRequest): boolean =>
  String(body.messages?.[0]?.content).includes('"verdicts"');

/** What a second question asks about, in order. */
export const claimsOf = ({ body }: RecordedRequest): readonly string[] =>
  [...String(body.messages?.[1]?.content).matchAll(/^\d+ \[[^\]]*\]: (.*)$/gmu)].map(([, claim = '']) => claim);

/** Answers a second question: everything was said. */
export const supportAll = (request: RecordedRequest): Step & { readonly kind: 'answer' } => ({
  kind: 'answer',
  text: JSON.stringify({ verdicts: claimsOf(request).map((_claim, at) => `${at + 1} supported`) }),
});
