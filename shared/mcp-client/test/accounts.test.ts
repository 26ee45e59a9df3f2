import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccounts } from '../src/accounts/accounts.ts';
import { type CredentialStore, openCredentialStore } from '../src/accounts/credential-store.ts';
import type { ServerEntries } from '../src/upstream-set.ts';

let folder: string;
let store: CredentialStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-accounts-'));
  store = openStore();
});
afterEach(() => rm(folder, { recursive: true }));

const openStore = (credentialsKey?: string): CredentialStore =>
  openCredentialStore({
    credentialsFile: join(folder, 'credentials.json'),
    credentialsKey,
    credentialsKeyFile: join(folder, 'credentials.key'),
  });

const [ann, own] = [
  { server: 'wiki', user: 'ann' },
  { server: 'wiki', user: undefined },
];
const headers = (key: string) => ({ kind: 'headers', values: { Authorization: key } }) as const;
const wiki = { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'of the entry', 'X-Team': 'a' } } as const;
const reach = (servers: ServerEntries, user?: string) => createAccounts(store, silentLog).toServers(servers, user);

describe('accounts', () => {
  it("replace the entry's headers with a caller's, and add an account of the entry's own to them", async () => {
    await store.set(ann, headers('of ann'));
    await store.set(own, headers('of the store'));
    const asked = { wiki: { ...wiki, credentials: 'caller' } } as const;
    expect(reach(asked, 'ann')['wiki']).toMatchObject({ headers: { Authorization: 'of ann' } });
    expect(reach(asked, 'ann')['wiki']).not.toHaveProperty('headers.X-Team');
    expect(reach(asked, 'bob')).toEqual({});
    expect(reach(asked)).toEqual({});
    expect(reach({ wiki }, 'ann')['wiki']).toMatchObject({ headers: { Authorization: 'of the store', 'X-Team': 'a' } });
  });

  it("add a caller's variables to those of a command", async () => {
    await store.set({ server: 'files', user: 'ann' }, { kind: 'env', values: { TOKEN: 'of ann' } });
    const files = {
      command: 'x',
      args: [],
      cwd: '/',
      env: { TOKEN: 'own', MODE: 'fast' },
      credentials: 'caller',
    } as const;
    expect(reach({ files }, 'ann')['files']).toMatchObject({ env: { TOKEN: 'of ann', MODE: 'fast' } });
  });

  it("never let the entry's own take the place of one that cannot be used", async () => {
    await store.set(ann, { kind: 'env', values: { TOKEN: 'x' } });
    const either = { wiki: { ...wiki, credentials: 'caller-or-own' } } as const;
    expect(reach(either, 'ann')).toEqual({});
    expect(reach(either, 'bob')).toEqual(either);
    await store.set(ann, headers('of ann'));
    store = openStore(randomBytes(32).toString('base64'));
    expect(reach(either, 'ann')).toEqual({});
  });

  it('are the same after a login was renewed, and another after it was set again', async () => {
    const login = { kind: 'oauth', login: { redirectUrl: 'http://127.0.0.1:1/callback' } } as const;
    await store.set(ann, login);
    const accounts = createAccounts(store, silentLog);
    const asked = { wiki: { ...wiki, credentials: 'caller' } } as const;
    const before = accounts.toServers(asked, 'ann');
    const [version, found] = [accounts.version(), store.find(ann)];
    if (found === undefined) throw new Error('the credential was not set');
    await store.renew(ann, found);
    expect(accounts.version()).not.toBe(version);
    expect(accounts.toServers(asked, 'ann')).toEqual(before);
    await store.set(ann, login);
    await store.renew(ann, { ...found, credential: headers('of another login') });
    expect(store.find(ann)?.credential).toEqual(login);
    await store.remove(ann);
    await store.renew(ann, found);
    expect(store.find(ann)).toBeUndefined();
  });
});

describe('the file of accounts', () => {
  it('loses none that are set at once', async () => {
    const users = Array.from({ length: 12 }, (_, at) => `user-${at}`);
    await Promise.all(users.map((user) => openStore().set({ server: 'wiki', user }, headers(user))));
    for (const user of users) expect(store.find({ server: 'wiki', user })?.credential).toEqual(headers(user));
  });

  it('is refused where others may change it, or its key is read by others', async () => {
    expect(await store.set(ann, headers('x'))).toEqual({ madeKeyAt: join(folder, 'credentials.key') });
    await chmod(join(folder, 'credentials.key'), 0o644);
    expect(() => openStore().find(ann)).toThrow('must be readable by its owner alone');
    await chmod(join(folder, 'credentials.key'), 0o600);
    await chmod(store.file, 0o666);
    expect(() => openStore().find(ann)).toThrow('may be changed by others than its owner');
  });
});
