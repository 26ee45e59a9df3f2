// The packer of MCP bundles, which a release and one test need: 13 MB that an installation does not bring.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const NAME = '@anthropic-ai/mcpb';
const VERSION = '2.1.2';
const FLAGS = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev'];

/** Installs it into the user's cache folder unless it is there, and loads it. */
export async function loadMcpb() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'contextloom', `mcpb-${VERSION}`);
  if (!existsSync(folder)) {
    const next = `${folder}.${process.pid}`;
    mkdirSync(next, { recursive: true });
    try {
      const args = ['install', '--prefix', next, ...FLAGS, `${NAME}@${VERSION}`];
      const { npm_execpath: npm } = process.env;
      if (npm === undefined) execFileSync('npm', args, { stdio: 'ignore' });
      else execFileSync(process.execPath, [npm, ...args], { stdio: 'ignore' });
      renameSync(next, folder);
    } finally {
      rmSync(next, { recursive: true, force: true });
    }
  }
  return import(pathToFileURL(join(folder, 'node_modules', NAME, 'dist', 'index.js')).href);
}
