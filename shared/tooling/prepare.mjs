// Builds after `npm ci`: modules and programs, without their types, which `npm run types` checks. esbuild is a development dependency: without
// it an installation of before stays as it is built.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

function hasBuilder() {
  try {
    return createRequire(import.meta.url).resolve('esbuild') !== '';
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

if (hasBuilder()) {
  const bundle = fileURLToPath(new URL('bundle.mjs', import.meta.url));
  const args = [bundle, '--modules'];
  process.exitCode = spawnSync(process.execPath, args, { cwd: fileURLToPath(root), stdio: 'inherit' }).status ?? 1;
} else if (!existsSync(new URL('services/cli/dist/main.js', root))) {
  process.stderr.write(
    'contextloom: nothing is built, since esbuild is not installed: run "npm ci", then "npm prune --omit=dev --ignore-scripts"\n',
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
  const { requireSqlite } = await import(file.href);
  requireSqlite();
}

const isLater = process.argv.includes('--sqlite-later');
if (!isLater && (process.exitCode === undefined || process.exitCode === 0)) {
  await checkSqlite().catch((error) => {
    process.stderr.write(`contextloom: ${error.message}\n`);
    process.exitCode = 1;
  });
}
