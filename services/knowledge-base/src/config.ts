import { join } from 'node:path';
import { setting } from '@contextloom/mcp-kit';
import envPaths from 'env-paths';
import { z } from 'zod';

const PORT = 'must be a port, 0 to 65535';

/** What decides how documents are stored and who sees them. */
const storeSettings = {
  dataDir: setting({
    env: ['KB_DATA_DIR'],
    schema: z.string(),
    default: join(envPaths('contextloom', { suffix: '' }).data, 'knowledge-base'),
    description: 'The folder of the store',
  }),
  isolation: setting({
    env: ['KB_ISOLATION'],
    schema: z.enum(['strict', 'off']),
    default: 'strict' as const,
    description: "strict: a user's documents are seen only by calls that name the user; off: by every call",
  }),
  embeddingProvider: setting({
    env: ['EMBEDDING_PROVIDER'],
    schema: z.string(),
    default: 'lexical',
    description: 'What turns text into vectors; lexical needs no model and no download',
  }),
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
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https address, such as http://127.0.0.1:8000' }),
    description: 'The HTTP service to speak to; without it the server opens the store itself',
  }),
  ...storeSettings,
};
