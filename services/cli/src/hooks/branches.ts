import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** How long git may take, in milliseconds: a session does not wait for a repository on a slow disk. */
const TIMEOUT_MS = 1_000;

const read = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** The folder of a worktree's own state: `.git`, or what a file of that name leads to. */
async function findGitFolder(cwd: string): Promise<string | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    const found = await stat(git).catch(() => undefined);
    if (found?.isDirectory() === true) return git;
    const leads = found === undefined ? undefined : /^gitdir: (.+?)\s*$/mu.exec((await read(git)) ?? '')?.[1];
    if (leads !== undefined) return resolve(folder, leads);
    if (found !== undefined || dirname(folder) === folder) return undefined;
  }
}

/** The branch that is checked out in a folder; undefined outside of a repository and where none is. */
export async function findBranch(cwd: string): Promise<string | undefined> {
  const git = await findGitFolder(cwd);
  return git === undefined
    ? undefined
    : /^ref: refs\/heads\/(.+?)\s*$/u.exec((await read(join(git, 'HEAD'))) ?? '')?.[1];
}

/** The branch that others are merged into: what the remote calls its head, else `main` or `master`. */
async function findMainBranch(path: string): Promise<string> {
  const git = join(path, '.git');
  const remote = /refs\/remotes\/origin\/(.+?)\s*$/u.exec(
    (await read(join(git, 'refs/remotes/origin/HEAD'))) ?? '',
  )?.[1];
  if (remote !== undefined) return remote;
  const packed = (await read(join(git, 'packed-refs'))) ?? '';
  const isThere = async (name: string): Promise<boolean> =>
    packed.includes(`refs/heads/${name}\n`) || (await read(join(git, 'refs/heads', name))) !== undefined;
  return !(await isThere('main')) && (await isThere('master')) ? 'master' : 'main';
}

/** The branches of a repository that its main one lacks; undefined where git cannot tell. */
export async function findUnmerged(path: string): Promise<ReadonlySet<string> | undefined> {
  const main = await findMainBranch(path);
  const args = [
    '-C',
    path,
    'for-each-ref',
    '--format=%(refname:short)',
    `--no-merged=refs/heads/${main}`,
    'refs/heads',
  ];
  return new Promise((done) => {
    execFile('git', args, { timeout: TIMEOUT_MS, windowsHide: true }, (error, stdout) => {
      done(error === null ? new Set(stdout.split(/\r?\n/u).filter((name) => name !== '')) : undefined);
    });
  });
}
