import { type Flag, type SettingValues, setting } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { DEFAULT_CONCURRENCY, DEFAULT_THRESHOLD } from './create-memory-processor.ts';

const COUNT = 'must be a whole number from 1 to 64';
const PRICE = 'must be a number of US dollars, 0 or more';
const price = z.coerce.number(PRICE).min(0, PRICE);

/** The model that draws facts from conversations. */
const modelSettings = {
  llmModel: setting({
    env: ['LLM_MODEL'],
    schema: z.string(),
    description: 'The model that extracts memories; written rules do when neither it nor a key nor an address is set',
  }),
  llmBaseUrl: setting({
    env: ['LLM_BASE_URL'],
    schema: z.url({
      protocol: /^https?$/u,
      error: 'must be an http or https address, such as http://127.0.0.1:11434/v1',
    }),
    description: "The address of an OpenAI-compatible endpoint; OpenAI's own without it",
  }),
  llmApiKey: setting({
    env: ['LLM_API_KEY', 'OPENAI_API_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key for it',
  }),
  llmStructured: setting({
    env: ['LLM_STRUCTURED_OUTPUT'],
    schema: z.enum(['auto', 'json_schema', 'json_object', 'text']),
    default: 'auto' as const,
    description: 'How answers in JSON are asked for: auto finds out what the endpoint takes',
  }),
  llmTimeoutMs: setting({
    env: ['LLM_TIMEOUT_MS'],
    schema: z.coerce.number('must be milliseconds, 100 or more').int().min(100, 'must be milliseconds, 100 or more'),
    default: 120_000,
    description: 'How long one call of the model may take, in milliseconds',
  }),
  llmConcurrency: setting({
    env: ['LLM_CONCURRENCY'],
    schema: z.coerce.number(COUNT).int(COUNT).min(1, COUNT).max(64, COUNT),
    default: DEFAULT_CONCURRENCY,
    description: 'Calls of the model at once',
  }),
  llmInputPrice: setting({
    env: ['LLM_INPUT_PRICE'],
    schema: price,
    description: 'US dollars a million input tokens, for estimates; else by the public list price of the model',
  }),
  llmOutputPrice: setting({
    env: ['LLM_OUTPUT_PRICE'],
    schema: price,
    description: 'US dollars a million output tokens, for estimates',
  }),
};

/** What the memory processor takes from the environment. */
export const settings = {
  ...modelSettings,
  kbUrl: setting({
    env: ['KB_URL'],
    schema: z.url({ protocol: /^https?$/u, error: 'must be an http or https address' }),
    description: 'The HTTP service of the knowledge base; without it and KB_HOST, KB_PORT, the composition is used',
  }),
  kbHost: setting({
    env: ['KB_HOST'],
    schema: z.string(),
    description: 'Host of the knowledge base, when there is no KB_URL (127.0.0.1 if only KB_PORT is set)',
  }),
  kbPort: setting({
    env: ['KB_PORT'],
    schema: z.coerce.number().int().min(1).max(65_535),
    description: 'Port of the knowledge base, when there is no KB_URL (8000 if only KB_HOST is set)',
  }),
  configFile: setting({
    env: ['MCP_CONFIG'],
    schema: z.string(),
    default: './mcp_config.json',
    description: 'The composition whose server "knowledge-base" keeps the memories, when no address is set',
  }),
  threshold: setting({
    env: ['MEMORY_IMPORTANCE_THRESHOLD'],
    schema: z.coerce.number().min(1, 'must be a number from 1 to 10').max(10, 'must be a number from 1 to 10'),
    default: DEFAULT_THRESHOLD,
    description: 'Facts of less importance are not saved unless forced, 1 to 10; episodes always are',
  }),
};

/** What the server takes from the command line. */
export const flags = {
  config: { type: 'string', description: 'The composition file (default: MCP_CONFIG, or ./mcp_config.json)' },
} as const satisfies Readonly<Record<string, Flag>>;

/** The settings, read. */
export type Config = SettingValues<typeof settings>;

/** The address of the knowledge base's HTTP service, if the settings give one. */
export function toKnowledgeBaseUrl({ kbUrl, kbHost, kbPort }: Pick<Config, 'kbUrl' | 'kbHost' | 'kbPort'>) {
  if (kbUrl !== undefined) return kbUrl;
  if (kbHost === undefined && kbPort === undefined) return undefined;
  // A service that listens on every address is called on this machine's own.
  const host = kbHost === undefined || kbHost === '0.0.0.0' || kbHost === '::' ? '127.0.0.1' : kbHost;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${kbPort ?? 8_000}`;
}
