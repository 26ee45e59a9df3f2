import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Anthropic's own client: 37 MB that the tests of one door alone need, so that an installation does not bring it. */
const PACKAGE = '@anthropic-ai/sdk@1.14.0';
/** How long its installation may take, in milliseconds. */
export const INSTALL_MS = 300_000;

const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'contextloom');
const folder = join(cache, 'anthropic-sdk-1.14.0');

/** What the tests use of it. */
export interface AnthropicClient {
  readonly messages: {
    readonly create: (request: object, options?: object) => Promise<unknown>;
    readonly countTokens: (request: object) => Promise<unknown>;
    readonly stream: (request: object) => AsyncIterable<{ readonly type: string }> & {
      readonly abort: () => void;
      readonly finalText: () => Promise<string>;
    };
  };
}

/** How a client is made. */
export type Anthropic = new (options: object) => AnthropicClient;

/** Installs it into the user's cache folder unless it is there, and loads it. */
export async function loadAnthropic(): Promise<Anthropic> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const next = `${folder}.${process.pid}`;
    await mkdir(next, { recursive: true });
    const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
    try {
      await promisify(execFile)('npm', ['install', '--prefix', next, ...flags, PACKAGE], { timeout: INSTALL_MS });
      await rename(next, folder);
    } finally {
      await rm(next, { recursive: true, force: true });
    }
  }
  const entry = join(folder, 'node_modules', '@anthropic-ai', 'sdk', 'index.mjs');
  const { Anthropic } = await import(pathToFileURL(entry).href);
  return Anthropic;
}
