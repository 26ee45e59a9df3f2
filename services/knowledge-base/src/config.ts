import { isAbsolute, join } from 'node:path';
import { embeddingSettings, rerankSettings } from '@contextloom/llm';
import { setting } from '@contextloom/mcp-kit';
import envPaths from 'env-paths';
import { z } from 'zod';

const PORT = 'must be a port, 0 to 65535';
const HTTP_ADDRESS = 'must be an http or https address, such as http://127.0.0.1:8000';
const httpAddress = z.url({ protocol: /^https?$/, error: HTTP_ADDRESS });

const CHROMA_ADDRESS = 'must be an http or https address without user and path, such as http://127.0.0.1:8001';
const isOrigin = (address: string): boolean => {
  if (!URL.canParse(address)) return false; // Asked even of what the check before has refused.
  const { username, password, pathname, search } = new URL(address);
  return `${username}${password}${search}` === '' && pathname === '/';
};

/** Where a Chroma server is; documents go there instead of into a file when one is named. */
const chromaSettings = {
  chromaUrl: setting({
    env: ['CHROMA_URL'],
    schema: z.url({ protocol: /^https?$/, error: CHROMA_ADDRESS }).refine(isOrigin, CHROMA_ADDRESS),
    description: 'The Chroma server that keeps the documents, instead of a file in KB_DATA_DIR',
  }),
  chromaApiKey: setting({
    env: ['CHROMA_API_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key for Chroma Cloud, which is used when CHROMA_URL is not given, or for a server that wants one',
  }),
  chromaTenant: setting({ env: ['CHROMA_TENANT'], schema: z.string(), description: "Chroma's tenant" }),
  chromaDatabase: setting({ env: ['CHROMA_DATABASE'], schema: z.string(), description: "Chroma's database" }),
  chromaCollection: setting({
    env: ['CHROMA_COLLECTION'],
    schema: z
      .string()
      .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,198}[a-zA-Z0-9]$/, 'must be 3 to 200 of a-z, A-Z, 0-9, ., _ and -'),
    default: 'contextloom',
    description: "What the names of Chroma's collections begin with",
  }),
};

const DEFAULT_FOLDER = join(envPaths('contextloom', { suffix: '' }).data, 'knowledge-base');
const CACHE = 'must be a whole number of mebibytes from 0 to 65536';

/** What decides where documents are stored, how, and who sees them. */
export const storeSettings = {
  dataDir: setting({
    env: ['KB_DATA_DIR'],
    // Clients start servers in folders of their choice: a relative one would be another store for each of them.
    schema: z.string().refine(isAbsolute, `must be an absolute path, such as ${DEFAULT_FOLDER}`),
    default: DEFAULT_FOLDER,
    description: 'The folder of the store, an absolute path',
  }),
  cacheMb: setting({
    env: ['KB_CACHE_MB'],
    schema: z.coerce.number(CACHE).int(CACHE).min(0, CACHE).max(65_536, CACHE),
    default: 256,
    description: 'Most mebibytes of its index that the store in KB_DATA_DIR keeps in memory, all threads together',
  }),
  ...chromaSettings,
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
  ...storeSettings,
};
