import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { normalize } from '@contextloom/retrieval';
import { z } from 'zod';
import type { Embedder } from './embedder.ts';
import { askSize, type KnownEmbedder } from './embedding-size.ts';
import { toUsableVector } from './usable-vector.ts';

/** An embedding function package of Chroma, by name, and how it is set up. */
export interface ChromaEmbedderOptions {
  /** `@chroma-core/ollama`, or `ollama` for short. */
  readonly provider: string;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly dimensions?: number | undefined;
  /** What is known of it, should it be out of reach when its size is measured. */
  readonly known?: KnownEmbedder | undefined;
  /** Texts of one call. */
  readonly batch?: number;
}

/** The part of Chroma's `EmbeddingFunction` that is used. */
interface EmbeddingFunction {
  generate(texts: readonly string[]): Promise<unknown>;
}

const SCOPE = '@chroma-core/';
const vectorsSchema = z.array(z.unknown());
/** The smallest limit that a package of Chroma has (Cohere's is 96). */
const BATCH = 64;

function toPackageName(provider: string): string | undefined {
  const name = provider.startsWith(SCOPE) ? provider.slice(SCOPE.length) : provider;
  return /^[a-z0-9][a-z0-9-]{0,60}$/.test(name) ? `${SCOPE}${name}` : undefined;
}

function isMissing(cause: unknown, name: string): boolean {
  const { code, message } = Object(cause) as { readonly code?: unknown; readonly message?: unknown };
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(code)) && String(message).includes(name);
}

async function loadPackage(provider: string): Promise<Readonly<Record<string, unknown>>> {
  const name = toPackageName(provider);
  const allowed =
    'lexical, local, ollama, openai, or the name of an embedding function package of Chroma such as google-gemini';
  if (name === undefined) {
    throw new ContextloomError('invalid', `EMBEDDING_PROVIDER must be ${allowed}`, { field: 'EMBEDDING_PROVIDER' });
  }
  try {
    return await import(name);
  } catch (cause) {
    const advice = isMissing(cause, name) ? `is not installed: npm install ${name}` : 'cannot be loaded';
    throw new ContextloomError('invalid', `EMBEDDING_PROVIDER must be ${allowed}; the package ${name} ${advice}`, {
      field: 'EMBEDDING_PROVIDER',
      cause,
    });
  }
}

/** The packages differ in what they call a setting; each reads the names that it knows. */
function toArguments({ model, baseUrl, apiKey, dimensions }: ChromaEmbedderOptions): Readonly<Record<string, unknown>> {
  const given = { model, modelName: model, url: baseUrl, apiBase: baseUrl, apiKey, dimensions };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function toFunction(loaded: Readonly<Record<string, unknown>>, options: ChromaEmbedderOptions): EmbeddingFunction {
  const found = Object.entries(loaded).find(
    ([name, value]) => /EmbeddingFunction$/.test(name) && typeof value === 'function',
  );
  if (found === undefined) {
    throw new ContextloomError(
      'invalid',
      `EMBEDDING_PROVIDER: the package of ${options.provider} has no embedding function`,
      {
        field: 'EMBEDDING_PROVIDER',
      },
    );
  }
  const Constructor = found[1] as new (args: object) => EmbeddingFunction;
  return new Constructor(toArguments(options));
}

/**
 * Builds the embedder of an embedding function package of Chroma that the user has installed next to the product
 * (`npm install @chroma-core/ollama`); asks it once how large its vectors are.
 * @throws ContextloomError `invalid` when there is no such package, `unavailable` when it does not work
 */
export async function createChromaEmbedder(options: ChromaEmbedderOptions): Promise<Embedder> {
  const { provider, model = 'default', batch = BATCH } = options;
  const embedding = toFunction(await loadPackage(provider), options);
  const send = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    try {
      const vectors = vectorsSchema.parse(
        await embedding.generate(texts.map((text) => (text.trim() === '' ? '-' : text))),
      );
      if (vectors.length !== texts.length) throw new Error(`${vectors.length} vectors for ${texts.length} texts`);
      return vectors.map((answer) => {
        const vector = toUsableVector(answer);
        if (vector === undefined) throw new Error('an answer that is no vector of numbers');
        return normalize(vector);
      });
    } catch (cause) {
      if (isContextloomError(cause)) throw cause;
      throw new ContextloomError(
        'unavailable',
        `the embedding function of ${provider} failed: check EMBEDDING_BASE_URL and EMBEDDING_API_KEY`,
        { cause },
      );
    }
  };
  const named = { provider: provider.replace(SCOPE, ''), model };
  const dimensions = await askSize(async () => (await send(['size']))[0]?.length ?? 0, named, options.known);
  return {
    identity: { ...named, dimensions },
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      while (vectors.length < texts.length) {
        signal?.throwIfAborted();
        vectors.push(...(await send(texts.slice(vectors.length, vectors.length + batch))));
      }
      return vectors;
    },
  };
}
