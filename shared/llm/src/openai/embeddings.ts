import { ContextloomError } from '@contextloom/contracts';
import { normalize } from '@contextloom/retrieval';
import OpenAI from 'openai';
import { z } from 'zod';
import { cutToTokens } from '../chat/count-tokens.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { askSize, type KnownEmbedder } from '../embedding/embedding-size.ts';
import { toUsableVector } from '../embedding/usable-vector.ts';
import { type Endpoint, type EndpointOptions, openEndpoint, toRefusal } from './client.ts';

/** An embedding model on an OpenAI-compatible endpoint. */
export interface OpenAiEmbedderOptions extends EndpointOptions {
  /** Names the provider in the identity of the vectors; `openai` when absent. */
  readonly provider?: string | undefined;
  /** The size of the vectors; when absent, a call to the endpoint finds it out. */
  readonly dimensions?: number | undefined;
  /** What is known of it, should it be out of reach then. */
  readonly known?: KnownEmbedder | undefined;
}

/** Most texts of a request at first; an endpoint that takes fewer is asked with fewer from its first refusal on. */
const FIRST_BATCH = 128;
/** Most tokens of a text: OpenAI's models take 8,192 of their own. What follows is not looked at. */
const MAX_TOKENS = 8_000;

const answerSchema = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.unknown() })) });

interface Ways {
  batch: number;
  asksDimensions: boolean;
}

/** What to do differently after a refused request; false when the refusal was about something else. */
function learn(error: unknown, ways: Ways, count: number): boolean {
  if (!(error instanceof OpenAI.BadRequestError)) return false;
  if (ways.asksDimensions && /dimensions/i.test(`${error.param ?? ''} ${error.message}`)) {
    ways.asksDimensions = false;
    return true;
  }
  if (count === 1) return false;
  ways.batch = Math.min(ways.batch, Math.ceil(count / 2));
  return true;
}

/** Endpoints refuse a text that is empty or too long. */
function toInput(text: string): string {
  return text.trim() === '' ? '-' : cutToTokens(text, MAX_TOKENS);
}

function createSender({ call, address }: Endpoint, { model, dimensions, settings }: OpenAiEmbedderOptions) {
  const ways: Ways = { batch: FIRST_BATCH, asksDimensions: dimensions !== undefined };
  const sendOnce = async (input: readonly string[], signal: AbortSignal | undefined) => {
    const body = {
      model,
      input: [...input],
      // The library's own choice, base64, is not known to every endpoint.
      encoding_format: 'float' as const,
      ...(ways.asksDimensions && dimensions !== undefined && { dimensions }),
    };
    const answer: unknown = await call((client, options) => client.embeddings.create(body, options), signal);
    const { success, data: given } = answerSchema.safeParse(answer);
    const found = success ? given.data.sort((a, b) => a.index - b.index) : [];
    if (found.length !== input.length) {
      throw new ContextloomError('unavailable', `${address} answered ${found.length} vectors to ${input.length} texts`);
    }
    return found.map(({ embedding }) => {
      const vector = toUsableVector(embedding);
      if (vector !== undefined) return vector;
      const message = `${address} answered something that is no vector of numbers: ${settings.model} must be an embedding model`;
      throw new ContextloomError('unavailable', message);
    });
  };
  return async (texts: readonly string[], signal: AbortSignal | undefined): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = [];
    while (vectors.length < texts.length) {
      const input = texts.slice(vectors.length, vectors.length + ways.batch);
      try {
        vectors.push(...(await sendOnce(input, signal)));
      } catch (error) {
        if (!learn(error, ways, input.length)) throw toRefusal(error, address, settings);
      }
    }
    return vectors;
  };
}

/**
 * Builds the embedder of an OpenAI-compatible endpoint. Without `dimensions` it asks the endpoint once how large its
 * vectors are.
 * @throws ContextloomError when the endpoint cannot be used, or has vectors of another size
 */
export async function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Promise<Embedder> {
  const endpoint = openEndpoint(options);
  const send = createSender(endpoint, options);
  const named = { provider: options.provider ?? 'openai', model: options.model };
  const ask = async (signal?: AbortSignal): Promise<number> => (await send(['size'], signal))[0]?.length ?? 0;
  const dimensions = options.dimensions ?? (await askSize(ask, named, options.known));
  return {
    identity: { ...named, dimensions },
    embed: async (texts, signal) => {
      const vectors = await send(texts.map(toInput), signal);
      const odd = vectors.find(({ length }) => length !== dimensions);
      if (odd === undefined) return vectors.map(normalize);
      throw new ContextloomError(
        'unavailable',
        `${endpoint.address} answered a vector of ${odd.length} dimensions instead of ${dimensions}: EMBEDDING_DIMENSIONS must be the size that ${options.model} has`,
      );
    },
  };
}
