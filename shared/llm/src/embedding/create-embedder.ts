import { ContextloomError } from '@contextloom/contracts';
import type { Embedder } from './embedder.ts';
import type { KnownEmbedder } from './embedding-size.ts';
import { createLexicalEmbedder } from './lexical-embedder.ts';
import { createCachingEmbedder } from './vector-cache.ts';

/** Which embedder to build, and how; the settings of the product that errors name are `EMBEDDING_*`. */
export interface EmbedderSettings {
  /** `lexical`, `local`, `ollama`, `openai`, or an installed embedding function package of Chroma. */
  readonly provider: string;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The size of the vectors; the model's own when absent. */
  readonly dimensions?: number | undefined;
  /** The folder of local models and of what runs them; one in the user's data folder when absent. */
  readonly dataDir?: string | undefined;
  /** What is known of the embedder, should it be out of reach when its size is measured. */
  readonly known?: KnownEmbedder | undefined;
}

/** OpenAI's smaller model, the provider's default since 2024. */
const OPENAI_MODEL = 'text-embedding-3-small';
/** Sizes that are known without asking. Source: OpenAI, Vector embeddings. */
const KNOWN_DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1_536,
  'text-embedding-3-large': 3_072,
  'text-embedding-ada-002': 1_536,
};

async function createOpenAi({
  model = OPENAI_MODEL,
  baseUrl,
  apiKey,
  dimensions,
  known,
}: EmbedderSettings): Promise<Embedder> {
  if (apiKey === undefined && baseUrl === undefined) {
    const message =
      'EMBEDDING_API_KEY must be set for the provider openai, or EMBEDDING_BASE_URL for an endpoint that wants no key';
    throw new ContextloomError('invalid', message, { field: 'EMBEDDING_API_KEY' });
  }
  // The client is loaded by those who use it: it costs every start a tenth of a second.
  const { createOpenAiEmbedder } = await import('../openai/embeddings.ts');
  const published =
    baseUrl === undefined && Object.hasOwn(KNOWN_DIMENSIONS, model) ? KNOWN_DIMENSIONS[model] : undefined;
  return createOpenAiEmbedder({
    model,
    baseUrl,
    apiKey,
    dimensions: dimensions ?? published,
    known,
    settings: { baseUrl: 'EMBEDDING_BASE_URL', apiKey: 'EMBEDDING_API_KEY', model: 'EMBEDDING_MODEL' },
  });
}

/** Where Ollama listens (its documentation, OpenAI compatibility), and a model of its library for a hundred languages. */
const OLLAMA = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'bge-m3' } as const;

/** Ollama's own address, without `/v1`, is what most of its settings name. */
function toOllamaUrl(baseUrl: string): string {
  const address = baseUrl.replace(/\/$/, '');
  return address.endsWith('/v1') ? address : `${address}/v1`;
}

async function createOllama({ model = OLLAMA.model, baseUrl = OLLAMA.baseUrl, ...settings }: EmbedderSettings) {
  const { createOpenAiEmbedder } = await import('../openai/embeddings.ts');
  return createOpenAiEmbedder({
    ...settings,
    provider: 'ollama',
    model,
    baseUrl: toOllamaUrl(baseUrl),
    settings: { baseUrl: 'EMBEDDING_BASE_URL', apiKey: 'EMBEDDING_API_KEY', model: 'EMBEDDING_MODEL' },
  });
}

async function createModelEmbedder(settings: EmbedderSettings): Promise<Embedder> {
  const { provider, dataDir, model } = settings;
  if (provider === 'openai') return createOpenAi(settings);
  if (provider === 'ollama') return createOllama(settings);
  if (provider === 'local') {
    const { createLocalEmbedder } = await import('../local-model/local-embedder.ts');
    return createLocalEmbedder({ dataDir, model });
  }
  const { createChromaEmbedder } = await import('./chroma-embedder.ts');
  return createChromaEmbedder(settings);
}

/**
 * Builds the embedder that `EMBEDDING_PROVIDER` names; one of a model keeps its last vectors. One whose vectors have an unknown size is called once to measure it.
 * @throws ContextloomError `invalid` for an unknown name or a missing setting; as `embed` does when it has to be asked
 */
export async function createEmbedder(settings: EmbedderSettings): Promise<Embedder> {
  const { provider, dimensions } = settings;
  if (provider === 'lexical') return createLexicalEmbedder(dimensions === undefined ? {} : { dimensions });
  return createCachingEmbedder(await createModelEmbedder(settings));
}
