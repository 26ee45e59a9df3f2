// Builds after `npm ci`. TypeScript is a development dependency: without it an installation of before stays as it is built.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

const compiler = findCompiler();
if (compiler !== undefined) {
  const options = { cwd: fileURLToPath(root), stdio: 'inherit' };
  const run = (...args) => spawnSync(process.execPath, args, options).status ?? 1;
  process.exitCode = run(compiler, '-b') || run(fileURLToPath(new URL('bundle.mjs', import.meta.url)));
} else if (!existsSync(new URL('services/cli/dist/main.js', root))) {
  process.stderr.write(
    'contextloom: nothing is built, since TypeScript is not installed: run "npm ci", then "npm prune --omit=dev --ignore-scripts"\n',
  );
}

/**
 * `--sqlite-later`: where it is still being compiled, whoever compiles it looks.
 *
 * npm installs without a word where SQLite could not be compiled: every store would fail later, and the installation would not say why.
 */
async function checkSqlite() {
  const file = new URL('shared/sqlite/dist/database/connect.js', root);
  if (!existsSync(file)) return;
  const { connect } = await import(file.href);
  connect(':memory:', {}).close();
}

const isLater = process.argv.includes('--sqlite-later');
if (!isLater && (process.exitCode === undefined || process.exitCode === 0)) {
  await checkSqlite().catch((error) => {
    process.stderr.write(`contextloom: ${error.message}\n`);
    process.exitCode = 1;
  });
}
