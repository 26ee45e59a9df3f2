import { chatModelSettings } from '@contextloom/llm';
import { type Flag, type SettingValues, setting } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { DEFAULT_THRESHOLD } from './create-memory-processor.ts';

const PRICE = 'must be a number of US dollars, 0 or more';
const price = z.coerce.number(PRICE).min(0, PRICE);

/** The model that draws facts from conversations. */
const modelSettings = {
  ...chatModelSettings,
  llmModel: setting({
    ...chatModelSettings.llmModel,
    description: 'The model that extracts memories; written rules do when neither it nor a key nor an address is set',
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
