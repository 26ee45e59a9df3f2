// `npm test` runs over the sources: a suite that starts a built program would test the last build, and take its time.
import childProcess from 'node:child_process';
import { promisify } from 'node:util';

const BUILT = /[\\/](?:services|shared)[\\/][^\\/]+[\\/](?:dist|bin)[\\/]/;
const GUARDED = Symbol.for('contextloom.guarded');

function guard(start) {
  return (program, args, ...rest) => {
    const built = [program, ...(Array.isArray(args) ? args : [])].find((word) => BUILT.test(word));
    if (built !== undefined) throw new Error(`${built} is a built program: name the suite *.e2e.ts`);
    return start(program, args, ...rest);
  };
}

for (const name of ['spawn', 'execFile', 'fork', 'spawnSync', 'execFileSync']) {
  const start = childProcess[name];
  // Suites of one worker share Node's own modules.
  if (start[GUARDED]) continue;
  const guarded = Object.assign(guard(start), { [GUARDED]: true });
  // A promise of execFile is of what was written to both streams, which promisify could not know.
  const promising = start[promisify.custom];
  if (promising !== undefined) guarded[promisify.custom] = guard(promising);
  childProcess[name] = guarded;
}
