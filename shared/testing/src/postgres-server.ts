import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PLACES = '/usr/lib/postgresql';

/** The folder of the newest Postgres of this machine, where Debian's packages put it; undefined where there is none. */
export async function findPostgres(): Promise<string | undefined> {
  const versions = existsSync(PLACES) ? await readdir(PLACES) : [];
  const newest = Math.max(...versions.map(Number));
  return newest >= 15 ? join(PLACES, String(newest), 'bin') : undefined;
}

/** Postgres runs as anybody but root. */
async function readUser(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // One that ended meanwhile; the error is of another realm than the test, and no instance of its Error.
    if (Object(error).code !== 'ESRCH') throw error;
  }
}

/** A Postgres server of its own, which can be killed and started again. */
export interface PostgresServer {
  readonly url: string;
  /** Where its files are. */
  readonly data: string;
  readonly start: () => Promise<void>;
  /** Ends the server and every process of it at once, without a word. */
  readonly kill: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/**
 * Makes a server with a new data folder and settings such as `wal_recycle=off`; `start` starts it.
 * @param primary the address of a running server whose standby it is
 */
export async function createPostgresServer(
  bin: string,
  extra: readonly string[] = [],
  primary?: string,
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'project-memory-postgres-'));
  const user = await readUser();
  if (user.uid !== undefined) await run('chown', [String(user.uid), folder]);
  const data = join(folder, 'data');
  const [program, ...words] =
    primary === undefined
      ? (['initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'] as const)
      : (['pg_basebackup', '-d', primary, '-R', '-c', 'fast'] as const);
  await run(join(bin, program), [...words, '-D', data], { ...user, cwd: folder });
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const isReady = () =>
    run(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    );
  const kill = async (): Promise<void> => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // The processes that serve connections have sessions of their own.
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(child.pid)]);
    for (const pid of [child.pid, ...stdout.trim().split(/\s+/).map(Number)]) killNow(pid);
    await ended;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    data,
    start: async () => {
      // In its folder, not in /dev/shm, where a server that is killed leaves what it shared.
      const shared = 'dynamic_shared_memory_type=mmap';
      const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, shared, ...extra];
      const settings = all.flatMap((one) => ['-c', one]);
      const options = { ...user, cwd: folder, stdio: 'ignore' as const };
      const launch = () => spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], options);
      child = launch();
      // A server that was killed recovers first, and refuses to start while a process that it forked meanwhile is there.
      for (let left = 20; !(await isReady()); ) {
        if (child.exitCode !== null) {
          if (left === 0) throw new Error('Postgres ended at its start');
          left -= 1;
          await sleep(250);
          child = launch();
        }
        await sleep(50);
      }
    },
    kill,
    remove: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
