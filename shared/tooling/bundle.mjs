// Bundles the programs of each service from its sources into `services/<service>/dist/`, and the page.
import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { bundlePage, bundling, listPrograms, PAGE, root } from './bundling.mjs';

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

try {
  const services = readdirSync(join(root, 'services'));
  await Promise.all(
    services.map((service) => (service === PAGE ? bundlePage(join(root, 'services', PAGE, 'dist')) : bundle(service))),
  );
} catch (error) {
  if (error.errors === undefined) throw error;
  // esbuild has written what is wrong.
  process.exitCode = 1;
}
