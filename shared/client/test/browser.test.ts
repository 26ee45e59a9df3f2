import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { bundleForBrowsers } from './support/bundle.ts';

it('is one bundle for browsers without any module of Node, below 100 kB compressed', async () => {
  const { text, files } = await bundleForBrowsers(
    "import { Contextloom } from '@contextloom/client'; globalThis.Contextloom = Contextloom;",
  );
  expect(files).toContain('shared/client/src/browser.ts');
  expect(files.filter((file) => file.startsWith('shared/client/src/node/'))).toEqual([]);
  expect(text).not.toMatch(/from\s*"(?:node:|fs|child_process)/);
  expect(gzipSync(text).length).toBeLessThan(100_000);
});
