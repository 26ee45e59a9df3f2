import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';
import { hashFile } from './hash-file.ts';

/** What the thread is started with. */
export interface EmbedWorkerData {
  /** The module of transformers.js. */
  readonly library: string;
  readonly folder: string;
  readonly pooling: 'mean' | 'cls';
  readonly hashes: Readonly<Record<string, string>>;
}

/** Vectors of length 1, one for each text; or what is wrong with the files of the model. */
export type EmbedResult = { readonly vectors: readonly (readonly number[])[] } | { readonly problem: string };

/** The part of transformers.js that is used. */
interface Library {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  readonly pipeline: (task: 'feature-extraction', model: string, options: { readonly dtype: 'q8' }) => Promise<Extract>;
}

type Extract = (
  texts: readonly string[],
  options: { readonly pooling: 'mean' | 'cls'; readonly normalize: true },
) => Promise<{ tolist(): readonly (readonly number[])[] }>;

// Node checks the type of its own value; it was made by local-embedder.ts.
const { library, folder, pooling, hashes }: EmbedWorkerData = workerData;

async function findProblem(): Promise<string | undefined> {
  if (!existsSync(library)) return `${library} is missing`;
  for (const [file, expected] of Object.entries(hashes)) {
    const path = join(folder, file);
    if (!existsSync(path)) return `${path} is missing`;
    if ((await hashFile(path)) !== expected) return `${path} is not what was downloaded`;
  }
  return undefined;
}

/** Nothing is fetched: the model is what lies in its folder. */
async function load(): Promise<Extract> {
  const { env, pipeline }: Library = await import(pathToFileURL(library).href);
  env.allowRemoteModels = false;
  env.localModelPath = dirname(folder);
  return pipeline('feature-extraction', basename(folder), { dtype: 'q8' });
}

let loading: Promise<Extract> | undefined;

/** Embeds texts in this thread. */
export default async function run(texts: readonly string[]): Promise<EmbedResult> {
  if (loading === undefined) {
    const problem = await findProblem();
    if (problem !== undefined) return { problem };
    loading ??= load();
  }
  const extract = await loading;
  return { vectors: (await extract(texts, { pooling, normalize: true })).tolist() };
}
