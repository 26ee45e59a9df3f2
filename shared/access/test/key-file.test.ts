import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createKeyring } from '../src/credentials/keys.ts';
import { addKey, listKeys, revokeKey } from '../src/credentials/manage-keys.ts';
import { openInstallationSecret } from '../src/open-access.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-key-file-'));
  file = join(folder, 'keys.json');
});
afterEach(() => rm(folder, { recursive: true }));

const clock = (): Date => new Date('2026-03-01T00:00:00Z');
const options = () => ({ file, clock });
const add = async (name: string): Promise<string> => (await addKey({ name, scopes: ['read'] }, options())).key;
const cannotBeRead = 'the keys of this server cannot be read; its log says why';

describe('a file of keys', () => {
  it.each([
    ['is cut off', '{"version":1,"keys":['],
    ['is of a later version', '{"version":2,"keys":[]}'],
    ['has a key without a hash', '{"version":1,"keys":[{"name":"a","scopes":["read"],"created_at":""}]}'],
    ['is empty', ''],
  ])('that %s lets nobody in, is named to the user, and is not written over', async (_name, text) => {
    const key = await add('app');
    const keyring = createKeyring({ file, clock });
    expect(keyring.find(key, 'notes')?.name).toBe('app');
    const whole = await readFile(file, 'utf8');
    await writeFile(file, text);
    expect(() => keyring.find(key, 'notes')).toThrow(cannotBeRead);
    expect(() => keyring.isAuthRequired()).toThrow(cannotBeRead);
    await expect(add('another')).rejects.toThrow(file);
    await expect(revokeKey('app', options())).rejects.toThrow(file);
    expect(await readFile(file, 'utf8')).toBe(text);
    await writeFile(file, whole);
    expect(keyring.find(key, 'notes')?.name).toBe('app');
  });

  it('that was removed leaves the door closed, and takes the next key', async () => {
    const key = await add('app');
    const keyring = createKeyring({ file, clock });
    expect(keyring.isAuthRequired()).toBe(true);
    await rm(file);
    expect([keyring.isAuthRequired(), keyring.find(key, 'notes')]).toEqual([true, undefined]);
    expect(keyring.find(await add('later'), 'notes')?.name).toBe('later');
  });

  it('behind a link stays there, and is followed when it changes', async () => {
    const real = join(folder, 'elsewhere', 'real.json');
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(real, '{"version":1,"keys":[]}', { mode: 0o600 });
    await symlink(real, file);
    const keyring = createKeyring({ file, clock });
    expect(keyring.isAuthRequired()).toBe(true);
    const key = await add('app');
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readlink(file)).toBe(real);
    expect(await readFile(real, 'utf8')).toContain('"app"');
    expect(keyring.find(key, 'notes')?.name).toBe('app');
  });

  it('that cannot be written or read says so in one line, with its name', async () => {
    await writeFile(join(folder, 'no-folder'), '');
    const under = join(folder, 'no-folder', 'keys.json');
    const request = { name: 'app', scopes: ['read'] as const };
    await expect(addKey(request, { file: under, clock })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`${under} cannot be written`),
    });
    await mkdir(file);
    await expect(listKeys({ file })).rejects.toThrow(`${file} cannot be read (EISDIR)`);
    expect(() => createKeyring({ file, clock }).isAuthRequired()).toThrow(cannotBeRead);
  });

  it('whose lock a killed process left is changed again after a while', async () => {
    await writeFile(`${file}.lock`, '');
    const old = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, old, old);
    await add('app');
    expect((await listKeys({ file })).map(({ name }) => name)).toEqual(['app']);
    await expect(stat(`${file}.lock`)).rejects.toThrow('ENOENT');
  });

  it('whose lock a killed process left is taken over by one at a time, however many find it at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      await writeFile(`${file}.lock`, '');
      const old = new Date(Date.now() - 60_000);
      await utimes(`${file}.lock`, old, old);
      await Promise.all(Array.from({ length: 8 }, (_, at) => add(`key-${round}-${at}`)));
      expect(await listKeys({ file })).toHaveLength(8 * (round + 1));
    }
    expect(await readdir(folder)).toEqual(['keys.json']);
  });
});

const onSystemsWithModes = process.platform === 'win32' ? describe.skip : describe;

onSystemsWithModes('the mode', () => {
  it('of a file of keys that others may write makes it worth nothing, until it is mended', async () => {
    const key = await add('app');
    const keyring = createKeyring({ file, clock });
    expect(keyring.find(key, 'notes')?.name).toBe('app');
    for (const mode of [0o620, 0o602, 0o666]) {
      await chmod(file, mode);
      expect(() => keyring.find(key, 'notes')).toThrow(cannotBeRead);
      await expect(add('another')).rejects.toThrow(`${file} may be changed by others than its owner: chmod 600`);
    }
    await chmod(file, 0o644);
    expect(keyring.find(key, 'notes')?.name).toBe('app');
    await add('another');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('of the secret of the installation that others may read makes it worth nothing', async () => {
    const installation = () => openInstallationSecret({ keysFile: file, houseSecret: undefined });
    await installation().sign();
    await chmod(join(folder, 'house.key'), 0o644);
    expect(() => installation().sign()).toThrow('may be read or changed by others than its owner: chmod 600');
    await chmod(join(folder, 'house.key'), 0o600);
    await expect(installation().sign()).resolves.toContain('.');
  });
});
