// Makes the folder of the package `contextloom`, which `npm pack` and `npm publish` take: node shared/tooling/package.mjs <folder>
// It has the layout of the repository, with the code of all programs in common chunks.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { bundlePage, bundling, listPrograms, PAGE, root } from './bundling.mjs';

/** Large parts that those who use them install: the program says how. */
const OPTIONAL = [
  'chromadb',
  '@electric-sql/pglite',
  '@electric-sql/pglite-pgvector',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
];

/** Programs of threads, by the packages in whose `dist` they are looked for. */
const WORKERS = {
  sqlite: ['hybrid-index/search/read-worker', 'erasing/erase-worker'],
  llm: ['local-model/embed-worker'],
};

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * SQLite for Node 20, compiled where no binary can be fetched, and for later versions of Node. Optional, since npm leaves out an optional
 * package that does not run on the version of Node at hand; so here, where the package is made, one of them is missing.
 */
const SQLITE = readManifest(join(root, 'shared/sqlite')).optionalDependencies;
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const isProgram = (name) => existsSync(join(root, 'services', name, 'src', `${listPrograms(name)[0]}.ts`));
const services = readdirSync(join(root, 'services')).filter(isProgram);
const { version, license, engines, description } = readManifest(root);
/** The registry of MCP servers compares it with the name there. */
const { name: mcpName } = JSON.parse(readFileSync(join(root, 'server.json'), 'utf8'));

/** A chunk lies in another folder than the service whose version it tells. */
const versions = {
  name: 'versions',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/]version\.ts$/ }, () => ({
      contents: `export const version = ${JSON.stringify(version)};`,
    }));
  },
};

async function bundleInto(folder) {
  const programs = services.flatMap((service) =>
    listPrograms(service).map((program) => [
      `services/${service}/dist/${program}`,
      `services/${service}/src/${program}.ts`,
    ]),
  );
  const workers = Object.entries(WORKERS).flatMap(([name, files]) =>
    files.map((file) => [`node_modules/@contextloom/${name}/dist/${file}`, `shared/${name}/src/${file}.ts`]),
  );
  const { metafile } = await build({
    ...bundling,
    absWorkingDir: root,
    entryPoints: Object.fromEntries([...programs, ...workers]),
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [...bundling.plugins, versions],
  });
  return metafile;
}

/** The packages that the bundles load, `require` of a file in one included. */
function listPackages({ outputs }) {
  const named = Object.values(outputs).flatMap(({ imports }) => imports.filter((one) => one.external));
  const names = named.map(({ path }) =>
    path
      .split('/')
      .slice(0, path.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  const builtin = (name) => name.startsWith('node:') || builtinModules.includes(name);
  // Loaded by a `require` that the bundler leaves alone.
  return [...new Set([...names, 'gpt-tokenizer'])].filter((name) => !builtin(name));
}

function writeManifests(folder, packages) {
  const installed = packages.filter((name) => existsSync(join(root, 'node_modules', name)));
  const toVersion = (name) => {
    const { name: its, version: number } = readManifest(join(root, 'node_modules', name));
    return its === name ? number : `npm:${its}@${number}`;
  };
  const toVersions = (names) => Object.fromEntries(names.sort().map((name) => [name, toVersion(name)]));
  const own = Object.keys(WORKERS).map((name) => `@contextloom/${name}`);
  for (const name of own) {
    writeJson(join(folder, 'node_modules', name, 'package.json'), { name, version, license, type: 'module' });
  }
  const optional = toVersions(installed.filter((name) => OPTIONAL.includes(name)));
  writeJson(join(folder, 'package.json'), {
    name: 'contextloom',
    version,
    description,
    license,
    type: 'module',
    engines,
    mcpName,
    bin: { contextloom: 'services/cli/bin/contextloom.js' },
    dependencies: {
      ...toVersions(installed.filter((name) => !OPTIONAL.includes(name) && !(name in SQLITE) && !isDevelopment(name))),
      ...Object.fromEntries(own.map((name) => [name, version])),
    },
    optionalDependencies: SQLITE,
    bundleDependencies: own,
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((name) => [name, { optional: true }])),
  });
  for (const service of services) {
    const { name, contextloom } = readManifest(join(root, 'services', service));
    const manifest = { name, version, private: true, type: 'module', ...(contextloom && { contextloom }) };
    writeJson(join(folder, 'services', service, 'package.json'), manifest);
  }
}

/** Packages of tests and benchmarks, and those that `contextloom setup` and a provider's name ask for. */
const isDevelopment = (name) => /^@chroma-core\/|^@huggingface\/|^onnxruntime-|^pg-native$/.test(name);

/** The composition, its servers started by command: an entry means the same wherever the file lies. */
function writeComposition(folder) {
  const text = readFileSync(join(root, 'mcp_config.json'), 'utf8');
  const script = /"command": "node",(\s*)"args": \["services\/([a-z-]+)\/dist\/server\.js"/g;
  writeFileSync(
    join(folder, 'mcp_config.json'),
    text.replace(script, '"command": "contextloom",$1"args": ["serve", "$2"'),
  );
}

/** The licences of what the bundles contain, which ask to be kept with copies. */
function writeLicences(folder, { inputs }) {
  const found = Object.keys(inputs).map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const packages = [...new Set(found.filter((path) => path !== undefined))].sort();
  const texts = packages.map((path) => {
    const { name, version: its, license: kind } = readManifest(join(root, path));
    const file = readdirSync(join(root, path)).find((one) => /^licen[cs]e/i.test(one));
    return `${name} ${its} (${kind})\n\n${file === undefined ? '' : readFileSync(join(root, path, file), 'utf8')}`;
  });
  writeFileSync(join(folder, 'THIRD_PARTY_LICENSES'), texts.join('\n\n----\n\n'));
}

function copyFiles(folder) {
  const paths = ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'services/cli/bin', 'services/cli/examples'];
  for (const path of [...paths, 'services/persona/personas']) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  // A page is built for browsers by itself.
  const page = 'services/console/dist';
  if (existsSync(join(root, page))) cpSync(join(root, page), join(folder, page), { recursive: true });
}

async function makePackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const metafile = await bundleInto(folder);
  const page = await bundlePage(join(folder, 'services', PAGE, 'dist'));
  writeManifests(folder, listPackages(metafile));
  writeLicences(folder, { inputs: { ...metafile.inputs, ...page.inputs } });
  writeComposition(folder);
  copyFiles(folder);
}

const folder = resolve(process.argv[2] ?? join(root, 'build', 'contextloom'));
await makePackage(folder);
process.stdout.write(`${folder}\n`);
