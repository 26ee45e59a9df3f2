import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles a module that imports the client, as an application's bundler does for browsers. */
export async function bundleForBrowsers(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    conditions: ['@contextloom/source'],
  });
  return { text: outputFiles[0]?.text ?? '', files: Object.keys(metafile.inputs) };
}
