import { ignoreBrokenPipe } from '@contextloom/mcp-kit';
import { runProgram } from './program.ts';
import { watchParent } from './stack/parent.ts';

const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ending.abort());
// npm and npx may exit without passing on the signal that ended them. Started by anything else, a command may well outlive it,
// as with nohup.
if (process.env['npm_command'] !== undefined) void watchParent({ process, onGone: () => ending.abort() });

// A reader that has seen enough (`contextloom memories … | head`) is no failure.
ignoreBrokenPipe(process);

process.exitCode = await runProgram(process.argv, {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  execPath: process.execPath,
  signal: ending.signal,
  now: () => performance.now(),
});
