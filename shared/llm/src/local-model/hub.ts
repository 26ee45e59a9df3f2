import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';
import { WEIGHTS_FILE } from './place.ts';

/** A file of a model on the hub. */
export interface HubFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** What git calls its content: SHA-256 of a large file, else SHA-1 of a git blob. */
  readonly hash: { readonly algorithm: 'sha256' | 'git-sha1'; readonly value: string };
}

/** A model on the hub at one commit. */
export interface HubModel {
  readonly revision: string;
  readonly files: readonly HubFile[];
  /** Opens a file for reading. */
  readonly open: (path: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
}

const REQUIRED = ['config.json', 'tokenizer.json', 'tokenizer_config.json', WEIGHTS_FILE];
const OPTIONAL = ['special_tokens_map.json', 'config_sentence_transformers.json', '1_Pooling/config.json'];

// Hub API: GET /api/models/{repo}/revision/{revision} and GET /api/models/{repo}/tree/{revision}?recursive=true.
const revisionSchema = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });
const treeSchema = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    size: z.number(),
    oid: z.string(),
    lfs: z.object({ oid: z.string(), size: z.number() }).optional(),
  }),
);

async function get(address: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(address, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new ContextloomError('unavailable', `${address} cannot be reached: EMBEDDING_BASE_URL may name a mirror`, {
      cause,
    });
  });
  if (response.ok) return response;
  await response.body?.cancel();
  // The hub answers 401 for a model that does not exist, as it may be a private one.
  const isUnknown = response.status === 404 || response.status === 401;
  const advice = isUnknown ? '; EMBEDDING_MODEL must be a public model of the hub' : '';
  throw new ContextloomError('unavailable', `${address} answered ${response.status}${advice}`);
}

const toHash = ({ oid, lfs }: z.output<typeof treeSchema>[number]): HubFile['hash'] =>
  lfs === undefined ? { algorithm: 'git-sha1', value: oid } : { algorithm: 'sha256', value: lfs.oid };

/**
 * Looks up the newest commit of a model and the files of it that an embedder needs.
 * @throws ContextloomError `unavailable`; `invalid` for a model that has no weights as int8
 */
export async function findHubModel(hub: string, model: string, signal: AbortSignal): Promise<HubModel> {
  const api = `${hub}/api/models/${model}`;
  const { sha: revision } = revisionSchema.parse(await (await get(`${api}/revision/main`, signal)).json());
  const tree = treeSchema.parse(await (await get(`${api}/tree/${revision}?recursive=true`, signal)).json());
  const files = tree.filter(({ path }) => REQUIRED.includes(path) || OPTIONAL.includes(path));
  const absent = REQUIRED.filter((path) => files.every((file) => file.path !== path));
  if (absent.length > 0) {
    const message = `EMBEDDING_MODEL must be a model for transformers.js; ${model} has no ${absent.join(', ')}`;
    throw new ContextloomError('invalid', message, { field: 'EMBEDDING_MODEL' });
  }
  return {
    revision,
    files: files.map((file) => ({ path: file.path, size: file.lfs?.size ?? file.size, hash: toHash(file) })),
    open: async (path, during) => {
      const { body } = await get(`${hub}/${model}/resolve/${revision}/${path}`, during);
      if (body === null) throw new ContextloomError('unavailable', `${hub} answered ${path} without a body`);
      return body;
    },
  };
}
