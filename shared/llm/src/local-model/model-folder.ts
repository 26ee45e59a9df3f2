import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';
import { hashFile } from './hash-file.ts';
import { isModelPath, MANIFEST_FILE, toModelFolder, WEIGHTS_FILE } from './place.ts';

/** An embedding model on this machine, and how its texts are prepared. */
export interface LocalModel {
  readonly folder: string;
  /** Names its vector space. */
  readonly name: string;
  readonly dimensions: number;
  readonly pooling: 'mean' | 'cls';
  /** What the model expects before a query and before a text that is stored. */
  readonly prompts: { readonly query: string; readonly passage: string };
  /** The SHA-256 that each file must have, by its path in the folder; none for a folder of the user. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** What was downloaded: written last, so that a folder that has it is whole. */
export const manifestSchema = z.object({
  model: z.string(),
  revision: z.string(),
  files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })),
});

const configSchema = z.object({ hidden_size: z.number().int().min(1).max(8_192) });
const poolingSchema = z.object({ pooling_mode_cls_token: z.boolean().optional() });
const promptsSchema = z.object({ prompts: z.record(z.string(), z.string()).optional() });

const invalid = (problem: string, cause?: unknown): ContextloomError =>
  new ContextloomError('invalid', `EMBEDDING_MODEL ${problem}`, { field: 'EMBEDDING_MODEL', cause });

/** Reads a JSON file of a model; undefined when the folder has none. */
async function readOptional<Schema extends z.ZodType>(
  folder: string,
  file: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const path = join(folder, file);
  if (!existsSync(path)) return undefined;
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw invalid(`must be a model of transformers.js; ${path} cannot be read as one`, cause);
  }
}

/** E5 models need these before every text (model card of intfloat/multilingual-e5-small); others say so in a file. */
function toPrompts(name: string, prompts: Readonly<Record<string, string>> = {}): LocalModel['prompts'] {
  const usual = /(?:^|[/_-])e5(?:$|[/_:-])/iu.test(name) ? { query: 'query: ', passage: 'passage: ' } : undefined;
  return {
    query: prompts['query'] ?? usual?.query ?? '',
    passage: prompts['passage'] ?? prompts['document'] ?? usual?.passage ?? '',
  };
}

/**
 * Reads what a model's folder says of it; the weights are not loaded.
 * @throws ContextloomError `invalid`, naming `EMBEDDING_MODEL` and what helps
 */
export async function readLocalModel(dataDir: string, model: string): Promise<LocalModel> {
  const folder = toModelFolder(dataDir, model);
  const isOwn = isModelPath(model);
  const manifest = isOwn ? undefined : await readOptional(folder, MANIFEST_FILE, manifestSchema);
  if (!isOwn && manifest === undefined)
    throw invalid(`must be a model that is downloaded: run "contextloom setup embeddings" for ${model}`);
  const config = await readOptional(folder, 'config.json', configSchema);
  if (config === undefined || !existsSync(join(folder, WEIGHTS_FILE))) {
    throw invalid(`must be a folder with config.json, tokenizer.json and ${WEIGHTS_FILE}; ${folder} is not`);
  }
  const pooling = await readOptional(folder, '1_Pooling/config.json', poolingSchema);
  const sentences = await readOptional(folder, 'config_sentence_transformers.json', promptsSchema);
  // A folder may get other weights under the same name: their vectors are of another space.
  const name = isOwn ? `${basename(folder)}:${(await hashFile(join(folder, WEIGHTS_FILE))).slice(0, 12)}` : model;
  return {
    folder,
    name,
    dimensions: config.hidden_size,
    pooling: pooling?.pooling_mode_cls_token === true ? 'cls' : 'mean',
    prompts: toPrompts(name, sentences?.prompts),
    hashes: Object.fromEntries(Object.entries(manifest?.files ?? {}).map(([file, { sha256 }]) => [file, sha256])),
  };
}
