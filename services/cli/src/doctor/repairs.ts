import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DoctorReport, PrintedSetting } from './report.ts';

/** Something that can be mended without a risk to what is stored. */
export interface Repair {
  /** What is done, for people. */
  readonly description: string;
  readonly run: () => Promise<void>;
}

/** A lock is held for milliseconds: one that is older, or that a wrong clock dated ahead, belongs to a process that was killed. */
const STALE_LOCK_MS = 60_000;
/** Bits of a mode that let others than the owner in. */
const OF_OTHERS = 0o077;

const isFolder = (variable: string): boolean => /_(?:DATA_DIR|WORKSPACE)$/.test(variable);
const isSecretFile = (variable: string): boolean =>
  /^(?:CONTEXTLOOM_(?:KEYS|CREDENTIALS|CREDENTIALS_KEY)|MEMORY_VAULT_KEY)_FILE$/.test(variable);

/** The paths that the servers were given by settings of some kind, each once. */
function listPaths({ servers }: DoctorReport, isWanted: (variable: string) => boolean): readonly string[] {
  const settings = Object.values(servers).flatMap((server) =>
    server.kind === 'own' ? Object.values(server.settings) : [],
  );
  const toPath = ({ value, variables }: PrintedSetting): readonly string[] =>
    typeof value === 'string' && value !== '' && variables.some(isWanted) ? [value] : [];
  return [...new Set(settings.flatMap(toPath))];
}

/** What is at a path; undefined where there is nothing. */
const look = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  });

async function findMissingFolder(folder: string): Promise<readonly Repair[]> {
  if ((await look(folder)) !== undefined) return [];
  const run = async () => void (await mkdir(folder, { recursive: true, mode: 0o700 }));
  return [{ description: `make the folder ${folder}`, run }];
}

async function findOpenSecret(file: string, platform: NodeJS.Platform | undefined): Promise<readonly Repair[]> {
  // Windows has no such bits: Node makes them up.
  const found = platform === 'win32' ? undefined : await look(file);
  if (found === undefined || (found.mode & OF_OTHERS) === 0) return [];
  return [{ description: `keep others from reading ${file}`, run: () => chmod(file, 0o600) }];
}

async function findStaleLocks(file: string, now: number): Promise<readonly Repair[]> {
  const folder = dirname(file);
  if ((await look(folder)) === undefined) return [];
  const locks = (await readdir(folder)).filter((name) => name.startsWith(`${basename(file)}.lock`));
  const checked = locks.map(async (name): Promise<readonly Repair[]> => {
    const path = join(folder, name);
    const found = await look(path);
    if (found === undefined || Math.abs(now - found.mtimeMs) < STALE_LOCK_MS) return [];
    return [
      { description: `remove the lock of a process that was killed, ${path}`, run: () => rm(path, { force: true }) },
    ];
  });
  return (await Promise.all(checked)).flat();
}

/** What finding repairs needs of the machine. */
export interface RepairOptions {
  /** Undefined where the machine is not known. */
  readonly platform: NodeJS.Platform | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Finds what can be mended: folders that are missing, secrets that others can read, and locks of killed processes. */
export async function findRepairs(report: DoctorReport, { platform, now }: RepairOptions): Promise<readonly Repair[]> {
  const secrets = listPaths(report, isSecretFile);
  const guarded = [...secrets, ...(report.env_file === undefined ? [] : [report.env_file.file])];
  const found = await Promise.all([
    ...listPaths(report, isFolder).map(findMissingFolder),
    ...guarded.map((file) => findOpenSecret(file, platform)),
    ...[...secrets, report.composition.file].map((file) => findStaleLocks(file, now)),
  ]);
  return found.flat();
}
