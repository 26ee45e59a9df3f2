import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-prepare-'));
  for (const script of ['prepare.mjs', 'bundle.mjs', 'bundling.mjs']) {
    await cp(join(root, 'shared/tooling', script), join(folder, 'shared/tooling', script));
  }
});
afterEach(() => rm(folder, { recursive: true }));

function prepare() {
  const args = [join(folder, 'shared/tooling/prepare.mjs')];
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stderr, stdout };
}

describe('what npm runs after an installation', () => {
  it('builds where TypeScript is installed, and fails with the build', async () => {
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['typescript', 'esbuild']) {
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    }
    await mkdir(join(folder, 'services/a/src'), { recursive: true });
    const program = join(folder, 'services/a/src/server.ts');
    await writeFile(
      join(folder, 'tsconfig.json'),
      '{"compilerOptions":{"outDir":"build","types":[]},"files":["services/a/src/server.ts"]}',
    );
    await writeFile(program, 'export const a: number = 1;\n');
    expect(prepare()).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(folder, 'services/a/dist/server.js'))).toBe(true);
    await writeFile(program, 'export const a: number = "1";\n');
    expect(prepare().status).not.toBe(0);
  });

  it('says in one line what to do without TypeScript, and lets the installation go on', async () => {
    const told = prepare();
    expect(told).toMatchObject({ status: 0, stdout: '' });
    expect(told.stderr).toMatch(/^contextloom: nothing is built, .*run "npm ci".*\n$/);
    await mkdir(join(folder, 'services/cli/dist'), { recursive: true });
    await writeFile(join(folder, 'services/cli/dist/main.js'), '');
    expect(prepare()).toEqual({ status: 0, stderr: '', stdout: '' });
  });
});
