import { type ChildProcess, execFile } from 'node:child_process';
import { built } from './knowledge-base.ts';

/** How a program ended. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs, and how it will end. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts a program of this service; of this process's own environment it gets the path alone. */
export function startProgram(
  name: 'batch' | 'import' | 'server',
  words: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Running {
  const file = built(`memory-processor/dist/${name}.js`);
  const child = execFile(process.execPath, [file, ...words], { cwd, env: { PATH: process.env['PATH'], ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}
