import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { normalize } from '@contextloom/retrieval';
import { Piscina } from 'piscina';
import type { Embedder } from '../embedding/embedder.ts';
import { toUsableVector } from '../embedding/usable-vector.ts';
import type { EmbedResult, EmbedWorkerData } from './embed-worker.ts';
import { type LocalModel, readLocalModel } from './model-folder.ts';
import { DEFAULT_LOCAL_MODEL, DEFAULT_MODELS_FOLDER, toLibraryFile } from './place.ts';

/** Which model of this machine embeds. */
export interface LocalEmbedderOptions {
  /** The folder of the library and of downloaded models. */
  readonly dataDir?: string | undefined;
  /** A name on the hub, or a folder. */
  readonly model?: string | undefined;
}

/** Texts of one run of the model. Its padding grows with the longest: texts of like length run together. */
const BATCH = 16;
/** Characters of a text that are sent to the thread; small encoders read at most 512 tokens of them. */
const MAX_CHARACTERS = 8_192;
/** A thread that embedded nothing for so long ends, and gives its memory back, in milliseconds. */
const IDLE_MS = 600_000;

const packageFile = createRequire(import.meta.url).resolve('@contextloom/llm/package.json');

/** In this package's dist whichever is running: a thread of Node 20 cannot load TypeScript, and a bundle has no such file. */
const worker = new URL('dist/local-model/embed-worker.js', pathToFileURL(packageFile));

function toFailure(cause: unknown): ContextloomError {
  if (isContextloomError(cause)) return cause;
  return new ContextloomError('unavailable', 'the local embedding model failed; run "contextloom doctor"', { cause });
}

/** One thread: the model uses the cores of the machine by itself, and a second one would load it twice. */
function createThread(workerData: EmbedWorkerData): (texts: readonly string[]) => Promise<readonly Float32Array[]> {
  const pool = new Piscina<readonly string[], EmbedResult>({
    filename: worker.href,
    workerData,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    execArgv: [],
  });
  return async (texts) => {
    const result = await pool.run(texts);
    if ('problem' in result) {
      const message = `EMBEDDING_PROVIDER local: ${result.problem}; run "contextloom setup embeddings"`;
      throw new ContextloomError('unavailable', message, { field: 'EMBEDDING_PROVIDER' });
    }
    return result.vectors.map((values) => {
      const vector = toUsableVector(values);
      if (vector === undefined) throw new Error('an answer that is no vector of numbers');
      return normalize(vector);
    });
  };
}

/** Waits for work that cannot be stopped only as long as the caller does. */
async function until<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  const listening = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: listening.signal });
  });
  return Promise.race([work, aborted]).finally(() => listening.abort());
}

function createEmbed(
  run: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
  { dimensions }: LocalModel,
  prompt: string,
): Embedder['embed'] {
  return async (texts, signal) => {
    const byLength = [...texts.keys()].sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
    const vectors = new Map<number, Float32Array>();
    // One batch at a time: a query waits for the batch that runs, not for all that a caller has.
    for (let start = 0; start < byLength.length; start += BATCH) {
      const batch = byLength.slice(start, start + BATCH);
      const input = batch.map((at) => prompt + (texts[at] ?? '').slice(0, MAX_CHARACTERS));
      try {
        const made = await until(run(input), signal);
        for (const [place, at] of batch.entries()) {
          const vector = made[place];
          if (vector?.length !== dimensions) throw new Error(`a vector of ${vector?.length} dimensions`);
          vectors.set(at, vector);
        }
      } catch (error) {
        signal?.throwIfAborted();
        throw toFailure(error);
      }
    }
    return texts.map((_, at) => vectors.get(at) ?? new Float32Array(dimensions));
  };
}

/**
 * Builds the embedder of a model on this machine, run by transformers.js in a thread of its own. The model is loaded by the
 * first text, so that a start costs nothing.
 * @throws ContextloomError `invalid` when the library or the model is not there
 */
export async function createLocalEmbedder(options: LocalEmbedderOptions): Promise<Embedder> {
  const { dataDir = DEFAULT_MODELS_FOLDER, model: named = DEFAULT_LOCAL_MODEL } = options;
  const library = toLibraryFile(dataDir);
  if (!existsSync(library)) {
    const message = 'EMBEDDING_PROVIDER local is not installed: run "contextloom setup embeddings" once';
    throw new ContextloomError('invalid', message, { field: 'EMBEDDING_PROVIDER' });
  }
  const model = await readLocalModel(dataDir, named);
  const { folder, pooling, hashes, name, dimensions, prompts } = model;
  const run = createThread({ library, folder, pooling, hashes });
  return {
    identity: { provider: 'local', model: name, dimensions },
    embed: createEmbed(run, model, prompts.passage),
    embedQueries: createEmbed(run, model, prompts.query),
  };
}
