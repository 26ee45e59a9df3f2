import { ContextloomError, loadOptional } from '@contextloom/contracts';
import { type SettingValues, setting } from '@contextloom/runtime';
import { withDeadline } from '@contextloom/runtime/scheduling';
import { z } from 'zod';
import type { StoreEngine } from '../engine.ts';
import type { ChromaAddress } from './connection/address.ts';
import { createRecoveringStore } from './recovery/recovering-store.ts';
import { createWriteIntents } from './writing/write-intents.ts';

const CHROMA_ADDRESS = 'must be an http or https address without user and path, such as http://127.0.0.1:8001';
const isOrigin = (address: string): boolean => {
  if (!URL.canParse(address)) return false; // zod runs this even where the check before failed.
  const { username, password, pathname, search } = new URL(address);
  return `${username}${password}${search}` === '' && pathname === '/';
};

const settings = {
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
type Place = SettingValues<typeof settings>;

/** How long the server may take to name its embedder, in milliseconds; the store opens without it too. */
const EMBEDDER_WAIT_MS = 2_000;

function toAddress(place: Place): ChromaAddress {
  const { chromaUrl: url, chromaApiKey: apiKey, chromaTenant: tenant, chromaDatabase: database } = place;
  return { url, apiKey, tenant, database, collection: place.chromaCollection };
}

const describe = ({ chromaUrl }: Place): string => `Chroma at ${chromaUrl ?? 'Chroma Cloud'}`;

const client = { needs: 'CHROMA_URL needs', packages: ['chromadb@3.5.0'] };

/** Documents on a Chroma server, connected at the first call and again after a loss; Chroma Cloud needs its key alone. */
export const chromaEngine: StoreEngine<typeof settings> = {
  name: 'chroma',
  settings,
  needs: 'CHROMA_URL must be the address of a Chroma server, or CHROMA_API_KEY a key of Chroma Cloud',
  isAskedFor: ({ chromaUrl, chromaApiKey }) => chromaUrl !== undefined || chromaApiKey !== undefined,
  describe,
  open: async (place, options) => {
    // Loading the client takes a tenth of a second: only its users pay for it.
    const { openChromaStore } = await loadOptional(client, () => import('./store.ts'));
    const address = toAddress(place);
    const intents = createWriteIntents(options.newId());
    const open = () => openChromaStore({ address, intents, ...options });
    return createRecoveringStore({ kind: 'chroma', name: describe(place), open, log: options.log });
  },
  readEmbedder: async (place) => {
    const { readStoredEmbedder } = await loadOptional(client, () => import('./rows/stored-embedder.ts'));
    const toLate = () => new ContextloomError('timeout', 'Chroma did not name the embedder of the store in time');
    return withDeadline(readStoredEmbedder(toAddress(place)), EMBEDDER_WAIT_MS, toLate);
  },
};
