import { type ChildProcess, spawn } from 'node:child_process';

/** Ends child processes that outlive this one. */
export interface ChildWatch {
  readonly add: (pid: number) => void;
  readonly remove: (pid: number) => void;
}

/**
 * Reads lists of process ids, one a line, until its input ends with the process that writes them. Then it ends the last of
 * them and all that they started: by themselves within two seconds, by SIGTERM within one more, by SIGKILL. The tree is listed
 * first, since a process that has lost its parent cannot be found under it.
 */
const SCRIPT = `
while read -r line; do pids=$line; done
[ -n "$pids" ] || exit 0
tree=$(ps -A -o pid= -o ppid= | awk -v roots="$pids" '
  BEGIN { count = split(roots, list, " "); for (at = 1; at <= count; at++) found[list[at]] = 1 }
  { parent[$1] = $2 }
  END {
    do { more = 0; for (pid in parent) if (!(pid in found) && (parent[pid] in found)) { found[pid] = 1; more = 1 } } while (more)
    for (pid in found) if (pid in parent) print pid
  }')
[ -n "$tree" ] || exit 0
sleep 2; kill -TERM $tree 2>/dev/null
sleep 1; kill -KILL $tree 2>/dev/null
`;

/**
 * Watches over children with a shell of its own, started with the first of them: a process that is killed ends nothing itself,
 * and a server need not notice that its standard input has ended. Does nothing on Windows, which has no such shell.
 */
export function createChildWatch(platform: NodeJS.Platform = process.platform): ChildWatch {
  const pids = new Set<number>();
  let watcher: ChildProcess | undefined;

  function tell(): void {
    if (platform === 'win32') return;
    watcher ??= startWatcher();
    watcher.stdin?.write(`${[...pids].join(' ')}\n`);
  }

  return {
    add: (pid) => {
      pids.add(pid);
      tell();
    },
    remove: (pid) => {
      if (pids.delete(pid)) tell();
    },
  };
}

/** In a process group of its own, so that what ends this one's group does not end it first. */
function startWatcher(): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watcher.on('error', () => undefined); // Without a shell there is nobody to watch.
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  if ('unref' in watcher.stdin && typeof watcher.stdin.unref === 'function') watcher.stdin.unref();
  return watcher;
}
