import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** The folder of the library and of downloaded models, when the settings name no other. */
export const DEFAULT_MODELS_FOLDER = join(envPaths('contextloom', { suffix: '' }).data, 'embeddings');

/** The library that runs local models, and the version that this program is tested with. */
export const LIBRARY = { name: '@huggingface/transformers', version: '4.3.1' } as const;

/** 118 million parameters, about a hundred languages, 384 dimensions, 118 MB as int8 (arXiv:2402.05672). */
export const DEFAULT_LOCAL_MODEL = 'Xenova/multilingual-e5-small';

/** The file in a model's folder that says what was downloaded. */
export const MANIFEST_FILE = 'manifest.json';

/** The weights as int8, where transformers.js expects them. */
export const WEIGHTS_FILE = 'onnx/model_quantized.onnx';

/** The folder that the library is installed into. */
export function toLibraryFolder(dataDir: string): string {
  return join(dataDir, `transformers-${LIBRARY.version}`);
}

/** The module of the installed library that Node imports. */
export function toLibraryFile(dataDir: string): string {
  return join(toLibraryFolder(dataDir), 'node_modules', LIBRARY.name, 'dist', 'transformers.node.mjs');
}

/** Whether `EMBEDDING_MODEL` names a folder of this machine and not a model of the hub. */
export function isModelPath(model: string): boolean {
  return isAbsolute(model) || model.startsWith('.') || existsSync(join(model, 'config.json'));
}

/** Where a model lies: the folder that is named, else one in the data folder. A hash keeps names apart that case joins. */
export function toModelFolder(dataDir: string, model: string): string {
  if (isModelPath(model)) return resolve(model);
  const hash = createHash('sha256').update(model).digest('hex').slice(0, 8);
  return join(dataDir, 'models', `${basename(model).replace(/[^\w.-]/g, '_')}-${hash}`);
}
