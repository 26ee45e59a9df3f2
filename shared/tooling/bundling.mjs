// How programs are bundled: a server of some 500 modules starts in half the processor time as one file.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The service that is a page, and no program. */
export const PAGE = 'console';

/** The programs of a service, by their files in `src/` without endings. */
export function listPrograms(service) {
  return PROGRAMS[service] ?? ['server'];
}

const PROGRAMS = {
  cli: ['main'],
  [PAGE]: [],
  'knowledge-base': ['server', 'service', 'migrate', 'reembed'],
  'memory-processor': ['server', 'batch', 'import', 'index'],
};

/** What stays a package: native code, workers, large data. */
const external = [
  'better-sqlite3',
  'better-sqlite3-napi',
  'piscina',
  'pino',
  '@electric-sql/*',
  'pg',
  'pg-native',
  'chromadb',
  '@chroma-core/*',
  '@huggingface/*',
  'onnxruntime-*',
  'oidc-provider',
  'open',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  'gpt-tokenizer',
  '@pydantic/genai-prices',
];

/** What CommonJS modules find around them: some packages ask for Node's own modules by `require`, one for its file. */
const commonJs = [
  "import { createRequire as toRequire } from 'node:module';",
  "import { fileURLToPath as toFilename } from 'node:url';",
  'const require = toRequire(import.meta.url);',
  'const __filename = toFilename(import.meta.url);',
].join('\n');

/** zod brings its messages in sixty languages, a third of its size, and every start would parse them; ours are in English. */
const englishAlone = {
  name: 'english-alone',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
  },
};

/** What every bundle is made with. */
export const bundling = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  metafile: true,
  // A package's ES modules where it has both: some of the others load their parts by names that no bundler sees.
  mainFields: ['module', 'main'],
  external,
  conditions: ['@contextloom/source'],
  banner: { js: commonJs },
  plugins: [englishAlone],
  logLevel: 'warning',
};

/** Another module of the same package stays a file of its own, under the name that it gets. */
const keepModules = {
  name: 'keep-modules',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true },
    );
  },
};

/** Writes the modules of a package without their types, file by file: what tsc writes, in a second instead of minutes. */
export async function writeModules(folder, outdir) {
  const modules = readdirSync(join(folder, 'src'), { recursive: true }).filter((file) => file.endsWith('.ts'));
  await build({
    absWorkingDir: folder,
    entryPoints: modules.map((file) => `./src/${file}`),
    outdir,
    outbase: 'src',
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: bundling.target,
    plugins: [keepModules],
    logLevel: 'warning',
  });
}

/** Puts the icons, and the manifest by which the page is installed as an application, next to the code, and their addresses into a text. */
function withIcons(page, assets) {
  const folder = join(root, 'services', PAGE, 'icons');
  let manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
  let text = page;
  const add = (name, content) => {
    const { name: stem, ext } = parse(name);
    const file = `${stem}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}${ext}`;
    writeFileSync(join(assets, file), content);
    manifest = manifest.replaceAll(`{{${name}}}`, `/assets/${file}`);
    text = text.replaceAll(`{{${name}}}`, `/assets/${file}`);
  };
  for (const name of readdirSync(folder).filter((one) => one.startsWith('icon')))
    add(name, readFileSync(join(folder, name)));
  add('manifest.webmanifest', manifest);
  return text;
}

/**
 * Bundles the page and what it loads into a folder: the files carry a hash of their content in their names, so that browsers
 * keep them.
 */
export async function bundlePage(folder) {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`services/${PAGE}/src/main.tsx`],
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    minify: true,
    jsx: 'automatic',
    conditions: ['@contextloom/source'],
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const [path, { cssBundle }] = Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith('/main.tsx'),
  );
  const page = withIcons(readFileSync(join(root, 'services', PAGE, 'index.html'), 'utf8'), join(folder, 'assets'))
    .replace('{{script}}', `/assets/${basename(path)}`)
    .replace('{{style}}', `/assets/${basename(cssBundle)}`);
  // The conversation that a reader can try the product with is that of the demo.
  cpSync(join(root, 'services/cli/examples'), join(folder, 'assets'), { recursive: true });
  // Browsers look for another one at each start, whatever its name.
  cpSync(join(root, 'services', PAGE, 'src/shell/download-worker.js'), join(folder, 'assets/download-worker.js'));
  writeFileSync(join(folder, 'index.html'), page);
  return metafile;
}
