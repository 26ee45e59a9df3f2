import { readFileSync } from 'node:fs';
import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';
import type { Config } from './config.ts';
import type { TypedMemoryStore } from './domain/typed-memory-store.ts';
import { createMirixHttp } from './store/mirix/mirix-http.ts';
import { createMirixStore } from './store/mirix/mirix-store.ts';

/** What MIRIX sets its agent up with for OpenAI's models, whose key it has itself; an agent that is there stays as it is. */
const DEFAULT_AGENT = {
  llm_config: {
    model: 'gpt-4o-mini',
    model_endpoint_type: 'openai',
    model_endpoint: 'https://api.openai.com/v1',
    context_window: 128_000,
  },
  embedding_config: {
    embedding_model: 'text-embedding-3-small',
    embedding_endpoint_type: 'openai',
    embedding_endpoint: 'https://api.openai.com/v1',
    embedding_dim: 1_536,
  },
};

const agentSchema = z.looseObject({ llm_config: z.looseObject({}), embedding_config: z.looseObject({}) });

function readAgentConfig(file: string | undefined): object {
  if (file === undefined) return DEFAULT_AGENT;
  const field = 'MIRIX_AGENT_CONFIG';
  try {
    return agentSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const message = `${field} must name a JSON file with llm_config and embedding_config, as MIRIX takes them`;
    throw new ContextloomError('invalid', message, { field, cause });
  }
}

/** Opens a store in the MIRIX server that the settings name; nothing is requested before it is first needed. */
export function openMirixStore(config: Config, url: string): TypedMemoryStore {
  const { mirixApiKey: apiKey, mirixTimeoutMs: timeoutMs, mirixApi, mirixAgentConfig } = config;
  return createMirixStore({
    http: createMirixHttp({ url, apiKey, timeoutMs, fetch: globalThis.fetch }),
    generation: mirixApi === 'auto' ? undefined : mirixApi,
    agentConfig: readAgentConfig(mirixAgentConfig),
  });
}
