import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built entry files; `npm run test:e2e` builds them first. */
export const serverFile = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
export const serviceFile = fileURLToPath(new URL('../../dist/service.js', import.meta.url));
export const migrateFile = fileURLToPath(new URL('../../dist/migrate.js', import.meta.url));
export const reembedFile = fileURLToPath(new URL('../../dist/reembed.js', import.meta.url));

/** How a program ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly stop: () => Promise<Ended>;
}

/** The environment of a child: nothing of this process's but what programs need to run. */
function toEnvironment(env: Record<string, string>): Record<string, string> {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), ...env };
}

/** Starts one of the entry files. */
export function start(file: string, args: readonly string[], env: Record<string, string>): Running {
  const child = spawn(process.execPath, [file, ...args], { env: toEnvironment(env), stdio: ['pipe', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    written.stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    written.stderr += String(chunk);
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...written }));
  const stop = (): Promise<Ended> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { child, ended, stop };
}

/** Waits for the line in which a server says where it listens. */
export async function untilListening({ child, ended }: Running): Promise<string> {
  let lines = '';
  const said = new Promise<string>((resolve) => {
    child.stderr?.on('data', (chunk) => {
      lines += String(chunk);
      const url = /"url":"([^"]+)"/.exec(lines)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const early = ended.then(({ code, stderr }): never => {
    throw new Error(`ended with code ${code} before it listened: ${stderr}`);
  });
  return Promise.race([said, early]);
}
