import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-prepare-'));
  for (const script of ['prepare.mjs', 'bundle.mjs', 'bundling.mjs', 'test-modules.mjs', 'test-modules-hooks.mjs']) {
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
  it('builds where esbuild is installed, and fails with the build', async () => {
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['esbuild', '@swc'])
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    // What is written from the operations is there before it is built.
    const writer = join(folder, 'services/context-aggregator/test/support/write-client-operations.ts');
    await mkdir(dirname(writer), { recursive: true });
    const written = JSON.stringify(join(folder, 'services/context-aggregator/src/written.ts'));
    const text = 'export const written: number = 2;\n';
    await writeFile(
      writer,
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${written}, ${JSON.stringify(text)} as string);\n`,
    );
    await mkdir(join(folder, 'services/context-aggregator/src'), { recursive: true });
    await mkdir(join(folder, 'shared/b/src/inner'), { recursive: true });
    await writeFile(join(folder, 'shared/b/tsconfig.json'), '{"compilerOptions":{"outDir":"dist"}}');
    await writeFile(join(folder, 'shared/b/src/index.ts'), "export { b } from './inner/b.ts';\n");
    await writeFile(join(folder, 'shared/b/src/inner/b.ts'), 'export const b: number = 1;\n');
    const program = join(folder, 'services/context-aggregator/src/server.ts');
    await writeFile(program, "export { written } from './written.ts';\nexport const a: number = 1;\n");
    expect(prepare()).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(folder, 'services/context-aggregator/dist/server.js'))).toBe(true);
    await expect(import(join(folder, 'shared/b/dist/index.js'))).resolves.toMatchObject({ b: 1 });
    await writeFile(program, 'export const a: number = ;\n');
    expect(prepare().status).not.toBe(0);
  });

  it('fails and says what to do where SQLite cannot be loaded', async () => {
    const built = join(root, 'shared/sqlite/dist/database');
    await cp(join(built, 'connect.js'), join(folder, 'shared/sqlite/dist/database/connect.js'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await mkdir(join(folder, 'node_modules/@contextloom'), { recursive: true });
    await symlink(join(root, 'shared/contracts'), join(folder, 'node_modules/@contextloom/contracts'));
    await mkdir(join(folder, 'services/cli/dist'), { recursive: true });
    await writeFile(join(folder, 'services/cli/dist/main.js'), '');
    const told = prepare();
    expect(told.status).toBe(1);
    expect(told.stderr).toMatch(/^contextloom: SQLite cannot be loaded: .* Install contextloom again .*\n$/);
    for (const name of ['better-sqlite3', 'better-sqlite3-napi', 'bindings', 'file-uri-to-path']) {
      const source = join(root, 'node_modules', name);
      if (existsSync(source)) await symlink(source, join(folder, 'node_modules', name));
    }
    expect(prepare()).toEqual({ status: 0, stderr: '', stdout: '' });
  });

  it('says in one line what to do without esbuild, and lets the installation go on', async () => {
    const told = prepare();
    expect(told).toMatchObject({ status: 0, stdout: '' });
    expect(told.stderr).toMatch(/^contextloom: nothing is built, .*run "npm ci".*\n$/);
    await mkdir(join(folder, 'services/cli/dist'), { recursive: true });
    await writeFile(join(folder, 'services/cli/dist/main.js'), '');
    expect(prepare()).toEqual({ status: 0, stderr: '', stdout: '' });
  });
});
