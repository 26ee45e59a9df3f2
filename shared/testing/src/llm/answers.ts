import { createRequire } from 'node:module';
import { createLexicalEmbedder } from '@contextloom/llm';
import { cosineSimilarity } from '@contextloom/retrieval';
import type { RecordedBody, ScriptedToolCall } from './script.ts';

/** The very table that the programs count by: loaded once, at the first count. */
const require = createRequire(import.meta.url);
const tokens = (): typeof import('gpt-tokenizer/encoding/o200k_base') => require('gpt-tokenizer/encoding/o200k_base');

/** What a model says to a chat. */
export interface Said {
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'content_filter' | 'tool_calls';
  readonly refusal: string | null;
  readonly calls?: readonly ScriptedToolCall[];
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

const asPlainText = { disallowedSpecial: new Set<string>() };

/** An answer as far as the request's limit lets it go. */
export function cutAtLimit(said: Said, { max_tokens, max_completion_tokens }: RecordedBody): Said {
  const limit = max_completion_tokens ?? max_tokens;
  if (limit === undefined) return said;
  const encoded = tokens().encode(said.text, asPlainText);
  return encoded.length <= limit ? said : { ...said, text: tokens().decode(encoded.slice(0, limit)), finish: 'length' };
}

/** Instructions come with every request, and take longest to count. */
const lengths = new Map<string, number>();

function toLength(text: string): number {
  const known = lengths.get(text);
  if (known !== undefined) return known;
  const length = tokens().encode(text, asPlainText).length;
  if (lengths.size >= 100) lengths.clear();
  lengths.set(text, length);
  return length;
}

function toUsage({ messages = [] }: RecordedBody, { text }: Said): Usage {
  const promptTokens = messages
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : (content ?? []).map((part) => JSON.stringify(part)),
    )
    .reduce((sum, part) => sum + toLength(part) + 4, 0);
  const answered = toLength(text);
  return { prompt_tokens: promptTokens, completion_tokens: answered, total_tokens: promptTokens + answered };
}

function toToolCalls(id: string, { calls = [] }: Said): readonly object[] {
  return calls.map(({ name, arguments: args }, index) => {
    return { id: `call-${id}-${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  });
}

/** A chat completion. */
export function toCompletion(id: string, body: RecordedBody, said: Said): object {
  const calls = toToolCalls(id, said);
  const content = said.refusal === null && calls.length === 0 ? said.text : null;
  const message = {
    role: 'assistant',
    content,
    refusal: said.refusal,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    id,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: body.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: said.finish }],
    usage: toUsage(body, said),
  };
}

/** The same as the events of a stream: some characters each, then the end, then the usage where it was requested. */
export function toStreamEvents(id: string, body: RecordedBody, said: Said): readonly string[] {
  const chunk = (delta: object, finish: string | null, more: object = {}) => ({
    id,
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: body.model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...more,
  });
  const pieces = said.text.match(/[\s\S]{1,24}/gu) ?? [];
  const chunks: readonly object[] = [
    chunk({ role: 'assistant', content: '', refusal: said.refusal }, null),
    ...pieces.map((content) => chunk({ content }, null)),
    ...toToolCalls(id, said).map((call, index) => chunk({ tool_calls: [{ index, ...call }] }, null)),
    chunk({}, said.finish),
    ...(body.stream_options?.include_usage === true
      ? [{ ...chunk({}, null), choices: [], usage: toUsage(body, said) }]
      : []),
  ];
  return [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), 'data: [DONE]\n\n'];
}

/** The answer to a request for embeddings: texts that share words get vectors that are near each other. */
export async function toEmbeddings(body: RecordedBody, dimensions: number): Promise<object> {
  const texts = [body.input ?? []].flat();
  const embedder = createLexicalEmbedder({ dimensions: body.dimensions ?? dimensions });
  const vectors = await embedder.embed(texts);
  const length = texts.reduce((sum, text) => sum + tokens().encode(text, asPlainText).length, 0);
  const toWire = (vector: Float32Array): string | readonly number[] =>
    body.encoding_format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: toWire(vector) })),
    model: body.model,
    usage: { prompt_tokens: length, total_tokens: length },
  };
}

/** The answer to a request for a reranking, best first: by the scores given, else by the words that texts share. */
export async function toReranking(
  { query = '', documents = [], top_n: limit = documents.length }: RecordedBody,
  scores?: readonly number[],
): Promise<object> {
  const [queryVector, ...vectors] = await createLexicalEmbedder().embed([query, ...documents]);
  const none = new Float32Array(queryVector?.length ?? 0);
  const results = documents
    .map((_, index) => {
      const near = cosineSimilarity(queryVector ?? none, vectors[index] ?? none);
      return { index, relevance_score: scores === undefined ? near : (scores[index] ?? 0) };
    })
    .sort((a, b) => b.relevance_score - a.relevance_score);
  return { id: 'rerank-1', results: results.slice(0, limit), meta: { billed_units: { search_units: 1 } } };
}
