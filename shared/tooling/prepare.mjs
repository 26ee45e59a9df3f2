// Builds after `npm ci`: modules and programs, without their types, which `npm run types` checks. esbuild is a development dependency: without
// it an installation of before stays as it is built.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** As `npm run client:operations`, which this does without npm. */
const CLIENT_OPERATIONS = [
  '--conditions=@contextloom/source',
  '--import',
  './shared/tooling/test-modules.mjs',
  'services/context-aggregator/test/support/write-client-operations.ts',
];

function hasBuilder() {
  try {
    return createRequire(import.meta.url).resolve('esbuild') !== '';
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

/** Runs a program of the repository; its exit code. */
function run(args) {
  return spawnSync(process.execPath, args, { cwd: fileURLToPath(root), stdio: 'inherit' }).status ?? 1;
}

if (hasBuilder()) {
  // The client's types follow from the operations, and the modules from these.
  process.exitCode = run(CLIENT_OPERATIONS) || run(['shared/tooling/bundle.mjs', '--modules']);
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
