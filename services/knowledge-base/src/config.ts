import { knowledgeClientSettings } from '@contextloom/knowledge-client';
import { embeddingSettings, rerankSettings } from '@contextloom/llm';
import { setting } from '@contextloom/runtime';
import { z } from 'zod';
import { engineSettings } from './store/index.ts';

const PORT = 'must be a port, 0 to 65535';
const HTTP_ADDRESS = 'must be an http or https address, such as http://127.0.0.1:8000';
const httpAddress = z.url({ protocol: /^https?$/, error: HTTP_ADDRESS });

/** What decides where documents are stored, how, and who sees them. */
export const storeSettings = {
  ...engineSettings,
  isolation: setting({
    env: ['KB_ISOLATION'],
    schema: z.enum(['strict', 'off']),
    default: 'strict' as const,
    description: "strict: a user's documents are seen only by calls that name the user; off: by every call",
  }),
  ...embeddingSettings,
  ...rerankSettings,
};

/** The settings of the HTTP service. */
export const serviceSettings = {
  host: setting({
    env: ['KB_HOST'],
    schema: z.string(),
    default: '127.0.0.1',
    description: 'The address that the HTTP service listens on',
  }),
  port: setting({
    env: ['KB_PORT'],
    schema: z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT),
    default: 8000,
    description: 'The port that the HTTP service listens on',
  }),
  ...storeSettings,
};

/** The settings of the MCP server. */
export const serverSettings = {
  url: setting({
    env: ['KB_URL'],
    schema: httpAddress,
    description: 'The HTTP service to speak to; without it the server opens the store itself',
  }),
  kbApiKey: knowledgeClientSettings.kbApiKey,
  keysFile: knowledgeClientSettings.keysFile,
  houseSecret: knowledgeClientSettings.houseSecret,
  ...storeSettings,
};

/** Without isolation every call sees every document: keys for some users would promise what is not so. */
export function toOpenToAll({ isolation }: { readonly isolation: string }): string | undefined {
  return isolation === 'off' ? 'KB_ISOLATION must be strict where callers need keys' : undefined;
}
