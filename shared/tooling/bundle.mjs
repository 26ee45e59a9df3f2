// Bundles the programs of each service from its sources into `services/<service>/dist/`, and the page. `--modules`: writes the modules of
// each package too, which `npm run build` leaves to tsc.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { bundlePage, bundling, listPrograms, PAGE, root, writeModules } from './bundling.mjs';

async function bundle(service) {
  const folder = join(root, 'services', service);
  const { metafile } = await build({
    ...bundling,
    absWorkingDir: folder,
    entryPoints: listPrograms(service).map((program) => `src/${program}.ts`),
    outdir: 'dist',
    // Beside the programs, so that files are as far from a chunk as from a program.
    chunkNames: '[name]-[hash]',
  });
  // Chunks of earlier builds.
  const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
  for (const entry of readdirSync(join(folder, 'dist'))) {
    if (!written.has(entry)) rmSync(join(folder, 'dist', entry), { recursive: true });
  }
}

/** Every package whose configuration says where its modules go, but the page. */
async function writeAllModules() {
  const folders = ['shared', 'services'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => join(root, kind, name)),
  );
  const packages = folders.filter((folder) => basename(folder) !== PAGE && existsSync(join(folder, 'tsconfig.json')));
  await Promise.all(packages.map((folder) => writeModules(folder, readOutDir(join(folder, 'tsconfig.json')))));
}

const readOutDir = (file) => JSON.parse(readFileSync(file, 'utf8')).compilerOptions.outDir;

try {
  if (process.argv.includes('--modules')) await writeAllModules();
  const services = readdirSync(join(root, 'services'));
  await Promise.all(
    services.map((service) => (service === PAGE ? bundlePage(join(root, 'services', PAGE, 'dist')) : bundle(service))),
  );
} catch (error) {
  if (error.errors === undefined) throw error;
  // esbuild has written what is wrong.
  process.exitCode = 1;
}
