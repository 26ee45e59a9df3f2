import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { installedComposition } from '../src/composition/installed-composition.ts';

it('is the composition of the installation', () => {
  expect([isAbsolute(installedComposition), existsSync(installedComposition)]).toEqual([true, true]);
});

it('is the same file from any folder, also in the build', async () => {
  const built = new URL('../dist/composition/installed-composition.js', import.meta.url).href;
  const script = `import('${built}').then((built) => console.log(built.installedComposition))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: tmpdir() });
  expect(stdout.trim()).toBe(fileURLToPath(new URL('../../../mcp_config.json', import.meta.url)));
});
