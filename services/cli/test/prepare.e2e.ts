import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-prepare-'));
  await cp(join(root, 'shared/tooling/prepare.mjs'), join(folder, 'shared/tooling/prepare.mjs'));
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
    await symlink(join(root, 'node_modules/typescript'), join(folder, 'node_modules/typescript'));
    await writeFile(join(folder, 'tsconfig.json'), '{"compilerOptions":{"outDir":"dist","types":[]},"files":["a.ts"]}');
    await writeFile(join(folder, 'a.ts'), 'export const a: number = 1;\n');
    expect(prepare()).toMatchObject({ status: 0, stderr: '' });
    await writeFile(join(folder, 'a.ts'), 'export const a: number = "1";\n');
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
