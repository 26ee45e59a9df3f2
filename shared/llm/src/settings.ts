import { z } from 'zod';
import { programNames } from './program/programs.ts';

/** The client that calls answers, in its call: only a service that is called by one can ask. */
const SAMPLING = 'sampling';

const HTTP_ADDRESS = 'must be an http or https address, such as http://127.0.0.1:11434/v1';
const httpAddress = z.url({ protocol: /^https?$/u, error: HTTP_ADDRESS });
const COUNT = 'must be a whole number from 1 to 64';
const TIMEOUT = 'must be milliseconds, 100 or more';
const DIMENSIONS = 'must be a whole number from 1 to 8192';
const DEADLINE = 'must be a whole number of milliseconds from 1 to 60000';

/** The settings of a chat model, as data for a service's own; without model, address and key there is no model. */
export const chatModelSettings = {
  llmProvider: {
    env: ['LLM_PROVIDER'],
    schema: z.enum([...programNames, SAMPLING]),
    description:
      'Who answers instead of an endpoint: an installed coding agent by the account it is signed in to (claude-code, codex or gemini-cli), or sampling, with which the memory processor asks the model of the client that calls; LLM_MODEL names its model',
  },
  llmModel: {
    env: ['LLM_MODEL'],
    schema: z.string(),
    description: 'The chat model; none without it, a key or an address',
  },
  llmBaseUrl: {
    env: ['LLM_BASE_URL'],
    schema: httpAddress,
    description: "The address of an OpenAI-compatible endpoint; OpenAI's own without it",
  },
  llmApiKey: {
    env: ['LLM_API_KEY', 'OPENAI_API_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key for it',
  },
  llmStructured: {
    env: ['LLM_STRUCTURED_OUTPUT'],
    schema: z.enum(['auto', 'json_schema', 'json_object', 'text']),
    default: 'auto' as const,
    description: 'How answers in JSON are asked for: auto finds out what the endpoint takes',
  },
  llmTimeoutMs: {
    env: ['LLM_TIMEOUT_MS'],
    schema: z.coerce.number(TIMEOUT).int(TIMEOUT).min(100, TIMEOUT),
    default: 120_000,
    description: 'How long one call of the model may take, in milliseconds',
  },
  llmConcurrency: {
    env: ['LLM_CONCURRENCY'],
    schema: z.coerce.number(COUNT).int(COUNT).min(1, COUNT).max(64, COUNT),
    default: 8,
    description: 'Calls of the model at once',
  },
};

/** The settings of what turns text into vectors. A store remembers it and refuses another. */
export const embeddingSettings = {
  embeddingProvider: {
    env: ['EMBEDDING_PROVIDER'],
    schema: z.string(),
    default: 'lexical',
    description:
      'What turns text into vectors: lexical needs no model; local is a model on this machine, set up by "contextloom setup embeddings"; ollama; openai; or an installed package such as @chroma-core/google-gemini',
  },
  embeddingModel: {
    env: ['EMBEDDING_MODEL'],
    schema: z.string(),
    description:
      "The embedding model, for providers that have several (local: a model of the hub or a folder, multilingual-e5-small if it isn't given; ollama: bge-m3; openai: text-embedding-3-small)",
  },
  embeddingBaseUrl: {
    env: ['EMBEDDING_BASE_URL'],
    schema: httpAddress,
    description: 'The address of an OpenAI-compatible endpoint, or of the server that the package speaks to',
  },
  embeddingApiKey: {
    env: ['EMBEDDING_API_KEY', 'OPENAI_API_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key for it',
  },
  embeddingDimensions: {
    env: ['EMBEDDING_DIMENSIONS'],
    schema: z.coerce.number(DIMENSIONS).int(DIMENSIONS).min(1, DIMENSIONS).max(8_192, DIMENSIONS),
    description: "The size of the vectors, if it is not to be the model's own",
  },
  embeddingDataDir: {
    env: ['EMBEDDING_DATA_DIR'],
    schema: z.string(),
    description: "Where local models and what runs them are kept; a folder in the user's data folder without it",
  },
};

/** The settings of what reads the first candidates of a search again together with the query; nothing unless named. */
export const rerankSettings = {
  rerankBaseUrl: {
    env: ['RERANK_BASE_URL'],
    schema: httpAddress,
    description:
      'The address of an endpoint with a rerank call as Cohere and Jina have it; it is asked at <address>/rerank',
  },
  rerankModel: { env: ['RERANK_MODEL'], schema: z.string(), description: 'The reranking model' },
  rerankApiKey: { env: ['RERANK_API_KEY'], schema: z.string(), secret: true, description: 'The key for it' },
  rerankDeadlineMs: {
    env: ['RERANK_DEADLINE_MS'],
    schema: z.coerce.number(DEADLINE).int(DEADLINE).min(1, DEADLINE).max(60_000, DEADLINE),
    default: 1_000,
    description: 'How long a search waits for the reranker; after that its order is the one without',
  },
};
