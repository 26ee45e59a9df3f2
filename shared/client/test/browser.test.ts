import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';

it('is one bundle for browsers without any module of Node, below 100 kB compressed', async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: "import { Contextloom } from '@contextloom/client'; globalThis.Contextloom = Contextloom;",
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, metafile: true },
    conditions: ['@contextloom/source'],
  });
  const [bundle] = outputFiles;
  expect(Object.keys(metafile.inputs).filter((file) => file.startsWith('shared/client/src/node/'))).toEqual([]);
  expect(bundle?.text).not.toMatch(/from\s*"(?:node:|fs|child_process)/);
  expect(gzipSync(bundle?.contents ?? '').length).toBeLessThan(100_000);
});
