import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSecretKey, silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type LocalService, startLocalService } from '../../knowledge-base/test/support/local-service.ts';
import { rotateVault } from '../src/domain/vault/rotate-vault.ts';
import { toVaultLabel } from '../src/domain/vault/vault-label.ts';
import { createVault, openVault } from '../src/open-vault.ts';
import { startScriptedChat, toModelSettings } from './support/chat.ts';
import { createKeptLog, newUser, openTestServer, openTestStore, today, vaultKey } from './support/service.ts';

let service: LocalService | undefined;
let client: TestClient | undefined;
beforeAll(async () => {
  service = await startLocalService();
});
afterEach(() => client?.close());
afterAll(() => service?.stop());

const openStore = () => openTestStore(service?.url ?? '');

async function connect(userId: string, keys: { key?: Buffer | null; oldKey?: Buffer; keyFile?: string } = {}) {
  const { factory } = await openTestServer(userId, { store: openStore(), ...keys });
  client = await connectInMemory(factory);
  return client;
}

const secret = `Zx9!${randomUUID()}`;
const sealed = (content: string, context = '办公室无线网络') => ({ content, context, memory_type: 'knowledge_vault' });
const revealing = { query: '无线网络', memory_types: ['credentials'] };
const memoriesOf = (structured: unknown) =>
  (structured as { memories: readonly Readonly<Record<string, unknown>>[] }).memories;

async function readAllBytes(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

/** How a text may stand in bytes: as it is, in other encodings, and as its part in base64, however it is aligned. */
const toForms = (text: string): readonly string[] => [
  text,
  Buffer.from(text).toString('hex'),
  Buffer.from(text, 'utf16le').toString('latin1'),
  encodeURIComponent(text),
  ...[0, 1, 2].map((skipped) => Buffer.from(text.slice(skipped)).toString('base64').slice(0, 20)),
];

describe('the knowledge vault', () => {
  it('reveals a secret to its owner who asks for the type, and shows its label to every other search', async () => {
    const connected = await connect(newUser());
    const { structured } = await connected.callTool('memory_add', sealed(secret));
    const { memory_id: id } = structured as { memory_id: string };
    const { structured: listed } = await connected.callTool('memory_search', { query: '无线网络' });
    expect(memoriesOf(listed)).toMatchObject([{ memory_id: id, content: '办公室无线网络', revealed: false }]);
    const { structured: revealed } = await connected.callTool('memory_search', revealing);
    expect(memoriesOf(revealed)).toMatchObject([{ content: secret, label: '办公室无线网络', revealed: true }]);
    expect(JSON.parse(await connected.readText(`mirix://memories/${id}`))).toMatchObject({ content: '办公室无线网络' });
    expect((await connected.callTool('memory_get_profile')).text).not.toContain(secret);
  });

  it('has the same secret of the same context once, and each context by its label', async () => {
    const [user, calls] = [newUser(), [sealed('4711'), sealed('4711'), sealed('4711', '门禁'), sealed('4712')]];
    const connected = await connect(user);
    const answers = [];
    for (const call of calls) answers.push((await connected.callTool('memory_add', call)).structured);
    const [first, again, door, other] = answers as readonly { memory_id: string; message: string }[];
    expect(again).toMatchObject({ memory_id: first?.memory_id, message: expect.stringMatching(/^Known already/) });
    expect(new Set([first?.memory_id, door?.memory_id, other?.memory_id]).size).toBe(3);
    expect(await openStore().listSealed(user)).toHaveLength(3);
    // Whoever reads the store without the key cannot try guesses against the ids.
    await client?.close();
    const { structured } = await (await connect(user, { key: randomBytes(32) })).callTool('memory_add', sealed('4711'));
    expect(structured).not.toMatchObject({ memory_id: first?.memory_id });
  });

  it('reveals what is asked for, not what the search came across as well', async () => {
    const connected = await connect(newUser());
    await connected.callTool('memory_add', sealed(secret));
    await connected.callTool('memory_add', sealed('0815', '办公室抽屉里的密码本'));
    const query = '办公室无线网络的密码';
    const { structured } = await connected.callTool('memory_search', { ...revealing, query });
    expect(memoriesOf(structured)).toMatchObject([
      { content: secret, revealed: true },
      { content: '办公室抽屉里的密码本', revealed: false },
    ]);
  });

  it.each([
    ['what is the weather', []],
    ['the', []],
    ['bank', ['4711']],
    ['what is the password of my mailbox?', ['hunter2']],
    ['邮箱密码是什么', ['海鸥7']],
  ])('asked %j, reveals %j and shows labels else', async (query, secrets) => {
    const connected = await connect(newUser());
    await connected.callTool('memory_add', sealed('hunter2', 'password of the mailbox'));
    await connected.callTool('memory_add', sealed('4711', 'the bank'));
    await connected.callTool('memory_add', sealed('海鸥7', '工作邮箱的密码'));
    const { structured } = await connected.callTool('memory_search', { query, memory_types: ['knowledge_vault'] });
    const shown = memoriesOf(structured);
    const labels = shown.flatMap(({ content, revealed }) => (revealed === false ? [content] : []));
    expect(['password of the mailbox', 'the bank', '工作邮箱的密码']).toEqual(expect.arrayContaining(labels));
    expect(shown.flatMap(({ content, revealed }) => (revealed === true ? [content] : []))).toEqual(secrets);
  });

  it('reveals an item to who has its id', async () => {
    const connected = await connect(newUser());
    const { structured } = await connected.callTool('memory_add', sealed(secret));
    const { memory_id: query } = structured as { memory_id: string };
    const { structured: found } = await connected.callTool('memory_search', {
      query,
      memory_types: ['knowledge_vault'],
    });
    expect(memoriesOf(found)).toMatchObject([{ content: secret, revealed: true }]);
  });

  it('shows what a key opens next to what none does', async () => {
    const user = newUser();
    await (await connect(user, { key: randomBytes(32) })).callTool('memory_add', sealed('lost', '旧无线网络'));
    await client?.close();
    const connected = await connect(user);
    await connected.callTool('memory_add', sealed(secret));
    const { structured } = await connected.callTool('memory_search', revealing);
    const shown = new Map(memoriesOf(structured).map(({ content, revealed }) => [content, revealed]));
    expect(Object.fromEntries(shown)).toEqual({ [secret]: true, 旧无线网络: false });
  });

  it('leaves the secret in clear nowhere: not on disk, in a copy of it, in logs, in an export or in another search', async () => {
    const [user, { log, text: logged }] = [newUser(), createKeptLog()];
    const endpoint = await startScriptedChat({
      keeps: [{ type: 'knowledge_vault', content: `${secret} too`, context: '门禁', importance: 8 }],
    });
    const { factory } = await openTestServer(user, {
      store: openStore(),
      env: toModelSettings(endpoint),
      log,
    });
    const connected = await connectInMemory(factory);
    await connected.callTool('memory_add', sealed(secret));
    await connected.callTool('memory_add', sealed(secret.repeat(5_000)));
    await connected.callTool('memory_add', { content: `my password is ${secret}` });
    await connected.callTool('memory_chat', { message: 'please keep the code of the gate' });
    await connected.callTool('memory_search', revealing);
    await connected.callTool('memory_get_profile');
    await connected.close();
    await endpoint.close();
    // Where the wrong key meets it.
    const other = await openTestServer(user, { store: openStore(), key: randomBytes(32), log });
    client = await connectInMemory(other.factory);
    expect((await client.callTool('memory_search', revealing)).isError).toBe(true);

    const list = { metadata_filter: { user_id: user }, limit: 200 };
    const headers = { 'content-type': 'application/json' };
    const url = `${service?.url}/documents/list`;
    const exported = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(list) })).text();
    const copy = await mkdtemp(join(tmpdir(), 'typed-memory-backup-'));
    await cp(service?.folder ?? '', copy, { recursive: true });
    const copied = await readAllBytes(copy);
    await rm(copy, { recursive: true });
    expect(exported).toContain('办公室无线网络');
    expect(copied).toContain(Buffer.from('办公室无线网络').toString('latin1'));
    expect((JSON.parse(exported) as { total: number }).total).toBe(3);
    expect(logged()).toContain("operation: 'add'");
    const asked = JSON.stringify(endpoint.requests.map(({ body }) => body));
    for (const text of [exported, copied, service?.log() ?? '', logged(), asked]) {
      for (const form of toForms(secret)) expect(text.includes(form)).toBe(false);
    }
  });

  it('makes a key for the first secret where none is set, says so once, and opens with it from then on', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typed-memory-own-key-'));
    const [user, keyFile, kept] = [newUser(), join(folder, 'config', 'key'), createKeptLog()];
    const { factory } = await openTestServer(user, { store: openStore(), key: null, keyFile, log: kept.log });
    const connected = await connectInMemory(factory);
    expect(memoriesOf((await connected.callTool('memory_search', revealing)).structured)).toEqual([]);
    await expect(stat(keyFile)).rejects.toThrow('ENOENT');
    const { text: first } = await connected.callTool('memory_add', {
      content: `password: ${secret}`,
      context: '无线网络',
    });
    expect(first).toContain(`A key was made for the vault, in ${keyFile}. Keep a copy`);
    expect(kept.text()).toContain(keyFile);
    expect([(await stat(keyFile)).mode & 0o777, (await stat(join(folder, 'config'))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect((await connected.callTool('memory_add', sealed('4711', '门禁'))).text).not.toContain('A key was made');
    await connected.close();
    // Another process.
    client = await connect(user, { key: null, keyFile });
    expect(memoriesOf((await client.callTool('memory_search', revealing)).structured)).toMatchObject([
      { content: `password: ${secret}`, revealed: true },
    ]);
    // The key is lost: another one is not made in its place.
    await rm(folder, { recursive: true });
    await client.close();
    client = await connect(user, { key: null, keyFile });
    for (const [name, args] of [
      ['memory_add', sealed('0815', 'x')],
      ['memory_search', revealing],
    ] as const) {
      const { isError, text } = await client.callTool(name, args);
      expect([isError, text]).toEqual([true, expect.stringContaining('the key that sealed them is not here')]);
    }
    await expect(stat(keyFile)).rejects.toThrow('ENOENT');
  });

  it('says which setting to use where no key can be made', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typed-memory-no-key-'));
    await writeFile(join(folder, 'file'), '');
    const connected = await connect(newUser(), { key: null, keyFile: join(folder, 'file', 'key') });
    const { isError, text } = await connected.callTool('memory_add', sealed(secret));
    expect([isError, text]).toEqual([true, expect.stringContaining('MEMORY_VAULT_KEY')]);
    await rm(folder, { recursive: true });
  });

  it('takes a secret without a type for itself', async () => {
    const connected = await connect(newUser());
    const { structured } = await connected.callTool('memory_add', { content: 'my password is hunter2-Delta!' });
    expect(structured).toMatchObject({ memory_type: 'knowledge_vault' });
  });

  it('says that a key is wrong, and destroys nothing', async () => {
    const user = newUser();
    await (await connect(user)).callTool('memory_add', sealed(secret));
    await client?.close();
    const { isError, text } = await (await connect(user, { key: randomBytes(32) })).callTool(
      'memory_search',
      revealing,
    );
    expect([isError, text]).toEqual([true, expect.stringContaining('MEMORY_VAULT_OLD_KEY')]);
    await client?.close();
    const { structured } = await (await connect(user)).callTool('memory_search', revealing);
    expect(memoriesOf(structured)).toMatchObject([{ content: secret }]);
  });

  it('exchanges its key, again after an interruption, and leaves what neither key opens', async () => {
    const [user, store, newKey, strangeKey] = [newUser(), openStore(), randomBytes(32), randomBytes(32)];
    const first = await connect(user);
    for (const at of [1, 2, 3]) await first.callTool('memory_add', sealed(`${secret}-${at}`, `无线网络 ${at}`));
    await first.close();
    await (await connect(user, { key: strangeKey })).callTool('memory_add', sealed('lost', '别的无线网络'));
    const vault = createVault(newKey, vaultKey);
    const [one] = await store.listSealed(user);
    if (one === undefined) throw new Error('nothing was sealed');
    const strange = (await store.listSealed(user)).find(({ content }) => content === '别的无线网络');
    const rotation = await rotateVault(user, { store, vault });
    expect(rotation).toMatchObject({ sealed: 3, current: 0, left: [strange?.id] });
    expect(await rotateVault(user, { store, vault })).toMatchObject({ sealed: 0, current: 3, left: [strange?.id] });
    await client?.close();
    const after = await connect(user, { key: newKey, oldKey: strangeKey });
    const { structured } = await after.callTool('memory_search', revealing);
    const contents = memoriesOf(structured).map(({ content }) => content);
    expect(contents.sort()).toEqual(['lost', `${secret}-1`, `${secret}-2`, `${secret}-3`].sort());
  });
});

describe('a sealed text', () => {
  const place = { userId: 'ann', id: 'mem-1' };

  it('opens to what was sealed, and to nothing when anything about it was changed', () => {
    const vault = createVault(vaultKey);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, at) => {
        const ciphertext = vault.seal(text, place);
        expect(vault.open(ciphertext, place)).toBe(text);
        const position = at % ciphertext.length;
        const other = ciphertext[position] === 'A' ? 'B' : 'A';
        const changed = ciphertext.slice(0, position) + other + ciphertext.slice(position + 1);
        const isSameBytes = Buffer.from(changed.split('.')[2] ?? '', 'base64url').equals(
          Buffer.from(ciphertext.split('.')[2] ?? '', 'base64url'),
        );
        if (!isSameBytes) expect(() => vault.open(changed, place)).toThrow('vault key does not open');
      }),
      { numRuns: 50 },
    );
  });

  it('opens for its own user and item alone', () => {
    const vault = createVault(vaultKey);
    const ciphertext = vault.seal('x', place);
    expect(() => vault.open(ciphertext, { ...place, userId: 'bob' })).toThrow('vault key does not open');
    expect(() => vault.open(ciphertext, { ...place, id: 'mem-2' })).toThrow('vault key does not open');
    expect(vault.seal('x', place)).not.toBe(ciphertext);
  });
});

describe('the label of a vault item', () => {
  it.each([
    ['Hunter2!xyz', 'office wifi', 'office wifi'],
    ['Hunter2!xyz', 'wifi, it is hunter2!XYZ', 'Vault item of 2026-03-11'],
    ['wifi password: Hunter2!xyz', 'wifi password', 'wifi password'],
    ['wifi password: Hunter2!xyz', 'Hunter2!xyz for guests', 'password, Wi-Fi'],
    ["Ann's phone number is +44 7700 900123", undefined, 'phone number'],
    ['bea@example.org', undefined, 'email address'],
    ['小鱼的手机是13800138000', undefined, '电话 手机号'],
    ['password', undefined, 'Vault item of 2026-03-11'],
    ['x', undefined, 'Vault item of 2026-03-11'],
    ['账号 6222020200112233445', '卡号 6222020200112233445', 'Vault item of 2026-03-11'],
  ])('of %j in the context %j is %j', (content, context, label) => {
    expect(toVaultLabel(content, context, today)).toBe(label);
  });
});

describe('the key of the vault', () => {
  it('is 32 bytes in base64', () => {
    expect(parseSecretKey(` ${vaultKey.toString('base64')}\n`, 'MEMORY_VAULT_KEY')).toEqual(vaultKey);
    for (const text of ['', 'short', randomBytes(31).toString('base64'), `${vaultKey.toString('base64')}x`]) {
      expect(() => parseSecretKey(text, 'MEMORY_VAULT_KEY')).toThrow('MEMORY_VAULT_KEY must be 32 bytes in base64');
    }
  });

  it('comes from a file that its owner alone can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typed-memory-key-'));
    const vaultKeyFile = join(folder, 'key');
    const open = async (file: string) => {
      const settings = { vaultKey: undefined, vaultKeyFile: file, vaultOldKey: undefined };
      return (await openVault(settings, { log: silentLog })).find();
    };
    await writeFile(vaultKeyFile, vaultKey.toString('base64'), { mode: 0o600 });
    const place = { userId: 'a', id: 'b' };
    expect((await open(vaultKeyFile))?.open(createVault(vaultKey).seal('x', place), place)).toBe('x');
    await chmod(vaultKeyFile, 0o644);
    await expect(open(vaultKeyFile)).rejects.toThrow('chmod 600');
    await expect(open(join(folder, 'none'))).rejects.toThrow('MEMORY_VAULT_KEY_FILE cannot be read');
    await rm(folder, { recursive: true });
  });

  it('is one, also when several make it at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typed-memory-made-'));
    const keyFile = join(folder, 'key');
    const settings = { vaultKey: undefined, vaultKeyFile: undefined, vaultOldKey: undefined };
    const openOne = async () => (await openVault(settings, { log: silentLog, keyFile })).open();
    const opened = await Promise.all(Array.from({ length: 8 }, openOne));
    const place = { userId: 'a', id: 'b' };
    const ciphertext = opened[0]?.vault.seal('x', place) ?? '';
    expect(opened.map(({ vault }) => vault.open(ciphertext, place))).toEqual(Array(8).fill('x'));
    expect(opened.filter(({ madeAt }) => madeAt !== undefined)).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['key']);
    await rm(folder, { recursive: true });
  });
});
