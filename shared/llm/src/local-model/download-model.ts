import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ContextloomError } from '@contextloom/contracts';
import { findHubModel, type HubFile } from './hub.ts';
import { isModelPath, MANIFEST_FILE, toModelFolder } from './place.ts';

/** Which model is downloaded, and where to. */
export interface DownloadModelOptions {
  readonly dataDir: string;
  readonly model: string;
  /** The address of the hub or of a mirror, such as `https://huggingface.co`. */
  readonly hub: string;
  readonly signal: AbortSignal;
  /** Called with bytes. */
  readonly onProgress: (done: number, total: number) => void;
}

/** How a download ended; a folder of the user is used as it is. */
export type DownloadOutcome = 'downloaded' | 'already there' | 'own folder';

/** The hub's own address. */
export const HUB = 'https://huggingface.co';

/** Writes one file and answers its SHA-256. What it must be is what the hub says of the commit. */
async function downloadFile(
  source: ReadableStream<Uint8Array>,
  target: string,
  { path, size, hash }: HubFile,
  onBytes: (count: number) => void,
): Promise<string> {
  const sha256 = createHash('sha256');
  const gitBlob = createHash('sha1').update(`blob ${size}\0`);
  await mkdir(dirname(target), { recursive: true });
  const count = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      sha256.update(chunk);
      gitBlob.update(chunk);
      onBytes(chunk.length);
      yield chunk;
    }
  };
  await pipeline(Readable.from(count(source)), createWriteStream(target));
  const made = sha256.digest('hex');
  const found = hash.algorithm === 'sha256' ? made : gitBlob.digest('hex');
  if (found === hash.value) return made;
  throw new ContextloomError('unavailable', `${path} came with another hash than the hub names: try again`);
}

/**
 * Downloads a model once: into a folder next to its place, which it takes only when every file has the hash that the hub names.
 * @throws ContextloomError `unavailable` for a hub out of reach or a wrong hash, `invalid` for a model of another kind
 */
export async function downloadModel(options: DownloadModelOptions): Promise<DownloadOutcome> {
  const { dataDir, model, hub, signal, onProgress } = options;
  const folder = toModelFolder(dataDir, model);
  if (isModelPath(model)) return 'own folder';
  if (existsSync(join(folder, MANIFEST_FILE))) return 'already there';
  const { revision, files, open } = await findHubModel(hub.replace(/\/+$/, ''), model, signal);
  const next = `${folder}.${process.pid}`;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const onBytes = (count: number): void => {
    done += count;
    onProgress(done, total);
  };
  try {
    const manifest: Record<string, { readonly size: number; readonly sha256: string }> = {};
    for (const file of files) {
      const source = await open(file.path, signal);
      manifest[file.path] = {
        size: file.size,
        sha256: await downloadFile(source, join(next, file.path), file, onBytes),
      };
    }
    await writeFile(join(next, MANIFEST_FILE), `${JSON.stringify({ model, revision, files: manifest }, null, 2)}\n`);
    await rm(folder, { recursive: true, force: true });
    await rename(next, folder);
  } finally {
    await rm(next, { recursive: true, force: true });
  }
  return 'downloaded';
}
