import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localPrincipal } from '@contextloom/access';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadAggregatorConfig } from '../../src/config.ts';
import { type AccountGateway, listForeign, startAccountGateway } from '../support/account-gateway.ts';

let gateway: AccountGateway;
beforeEach(async () => {
  gateway = await startAccountGateway();
});
afterEach(() => gateway.close());

const own = { headers: { Authorization: 'Bearer key-of-house' } };

describe("a server that is reached with the caller's account", () => {
  it('answers each caller as that caller: calls, lists, reads and prompts', async () => {
    await gateway.setKey('ann', 'key-of-ann');
    await gateway.setKey('bob', 'key-of-bob');
    await gateway.open({ credentials: 'caller', ...own });
    for (const user of ['ann', 'bob']) {
      for (const revision of [undefined, '2025-11-25', '2026-07-28']) {
        const client = await gateway.connect(user, revision);
        expect(await listForeign(client)).toEqual(['wiki__whoami', `wiki__pages_of_${user}`]);
        expect((await client.callTool('wiki__whoami')).text).toBe(user);
        expect(await client.readText('me://now')).toBe(user);
        expect(await client.getPrompt('wiki__greet')).toBe(user);
      }
    }
    expect(gateway.wiki.mixed()).toBe(0);
  });

  it("is not reached without one, unless its entry lets the entry's own take its place", async () => {
    await gateway.setKey('ann', 'key-of-ann');
    await gateway.open({ credentials: 'caller', ...own });
    expect(await listForeign(await gateway.connect('bob'))).toEqual([]);
    await gateway.open({ credentials: 'caller-or-own', ...own });
    expect((await (await gateway.connect('bob')).callTool('wiki__whoami')).text).toBe('house');
    expect((await (await gateway.connect('ann')).callTool('wiki__whoami')).text).toBe('ann');
  });

  it('is reached with the account of its entry by everybody where it says nothing', async () => {
    await gateway.setKey('ann', 'key-of-ann');
    await gateway.setKey(undefined, 'key-of-house');
    await gateway.open({});
    expect((await (await gateway.connect('ann')).callTool('wiki__whoami')).text).toBe('house');
  });

  it('takes the account of the user that a call of an application names', async () => {
    await gateway.setKey('ann', 'key-of-ann');
    await gateway.setKey('bob', 'key-of-bob');
    await gateway.open({ credentials: 'caller' });
    const app = await gateway.connect({ ...localPrincipal, name: 'app' });
    const askAs = async (user: string): Promise<unknown> => {
      const _meta = {
        'contextloom/principal': { name: user, users: [user], projects: 'all', scopes: ['read', 'write'] },
      };
      const { content } = await app.client.callTool({ name: 'wiki__whoami', arguments: {}, _meta });
      return content;
    };
    const answers = await Promise.all(['ann', 'bob', 'ann', 'bob'].map(askAs));
    expect(answers.flat()).toMatchObject(['ann', 'bob', 'ann', 'bob'].map((text) => ({ text })));
    expect(await listForeign(app)).toEqual([]);
    expect(gateway.wiki.mixed()).toBe(0);
  });

  it('is left as soon as the account is taken away, and reached with another one that is set', async () => {
    await gateway.setKey('ann', 'key-of-ann');
    await gateway.open({ credentials: 'caller' });
    const client = await gateway.connect('ann');
    expect((await client.callTool('wiki__whoami')).text).toBe('ann');
    await gateway.store.remove({ server: 'wiki', user: 'ann' });
    await expect(client.callTool('wiki__whoami')).rejects.toThrow('Unknown tool: wiki__whoami');
    await gateway.setKey('ann', 'key-of-bob');
    expect((await client.callTool('wiki__whoami')).text).toBe('bob');
    expect(await listForeign(client)).toEqual(['wiki__whoami', 'wiki__pages_of_bob']);
  });

  it('is a mistake for servers of our own', async () => {
    await gateway.setKey('ann', 'key-of-ann');
    await gateway.open({});
    const file = join(gateway.folder, 'house.json');
    const mcpServers = { wiki: { url: gateway.wiki.address, credentials: 'caller' } };
    await writeFile(file, JSON.stringify({ mcpServers, aggregator: { own_servers: ['wiki'] } }));
    await expect(loadAggregatorConfig({ env: {}, file, ownFile: file })).rejects.toThrow('leave its "credentials" out');
  });
});

describe('a login at the authorization server of an upstream', () => {
  it('is renewed when its token is over, once for all who wait, and asks for a new one when it cannot be', async () => {
    await gateway.setLogin('ann');
    await gateway.open({ credentials: 'caller' });
    const [first, second] = [await gateway.connect('ann'), await gateway.connect('ann')];
    expect((await first.callTool('wiki__whoami')).text).toBe('ann');
    gateway.oauth.expire();
    const answers = await Promise.all([first, second, first, second].map((client) => client.callTool('wiki__whoami')));
    expect(answers.map(({ text }) => text)).toEqual(['ann', 'ann', 'ann', 'ann']);
    expect(gateway.oauth.counts.replayed).toBe(0);
    gateway.oauth.revoke();
    const refused = await first.callTool('wiki__whoami');
    expect(refused).toMatchObject({
      isError: true,
      text: 'wiki wants a new login: contextloom servers login wiki --user ann.',
    });
    await gateway.setLogin('ann');
    expect((await first.callTool('wiki__whoami')).text).toBe('ann');
  });

  it('is made and renewed as a client with a secret, which stays in the configuration', async () => {
    await gateway.close();
    const client = { clientId: 'contextloom', clientSecret: 'a secret: of two words' };
    gateway = await startAccountGateway(client);
    expect(await gateway.setLogin('ann')).toBe(200);
    const oauth = { clientId: client.clientId, clientSecret: '${CLIENT_SECRET}' };
    await gateway.open({ credentials: 'caller', oauth });
    const ann = await gateway.connect('ann');
    expect((await ann.callTool('wiki__whoami')).text).toBe('ann');
    gateway.oauth.expire();
    expect((await ann.callTool('wiki__whoami')).text).toBe('ann');
    expect(gateway.oauth.counts).toEqual({ refreshed: 1, replayed: 0 });
    expect(JSON.stringify(gateway.store.find({ server: 'wiki', user: 'ann' }))).not.toContain('a secret');
    await gateway.open({ credentials: 'caller', oauth: { ...oauth, clientSecret: 'another' } });
    gateway.oauth.expire();
    const refused = await (await gateway.connect('ann')).client.listTools();
    expect(refused.tools.filter(({ name }) => name.startsWith('wiki__'))).toEqual([]);
  });

  it('is tried again where the server that renews it is away for a moment', async () => {
    await gateway.setLogin('ann');
    await gateway.open({ credentials: 'caller' });
    const ann = await gateway.connect('ann');
    expect((await ann.callTool('wiki__whoami')).text).toBe('ann');
    gateway.oauth.expire();
    for (const status of [503, 500, 429, 502]) {
      gateway.oauth.faults.tokenStatus = status;
      const answer = await ann.callTool('wiki__whoami');
      expect([status, answer.text]).toEqual([
        status,
        'wiki cannot be reached now: its authorization server does not renew the login; try again.',
      ]);
    }
    gateway.oauth.faults.tokenStatus = undefined;
    expect((await ann.callTool('wiki__whoami')).text).toBe('ann');
  });

  it('is shown in the browser once it is made, and not where the code cannot be exchanged', async () => {
    gateway.oauth.faults.tokenStatus = 503;
    await expect(gateway.setLogin('ann')).rejects.toThrow(/does not answer now: try again \(page: 502\)/);
    gateway.oauth.faults.tokenStatus = undefined;
    expect(await gateway.setLogin('ann')).toBe(200);
  });

  it.each([
    'file:///etc/passwd',
    'vscode://x/y',
    'http://login.example/authorize',
    'javascript:alert(1)',
    'ms-msdt:/id',
  ])('is not opened at %s', async (address) => {
    gateway.oauth.faults.authorizeAt = address;
    await expect(gateway.setLogin('ann')).rejects.toThrow(/\(page: none\)/);
  });

  it('is kept sealed, in a file for its owner alone', async () => {
    await gateway.setLogin('ann');
    await gateway.open({ credentials: 'caller' });
    const text = await readFile(gateway.store.file, 'utf8');
    expect(text).not.toMatch(/access-|refresh-/);
    expect((await stat(gateway.store.file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(gateway.folder, 'credentials.key'))).mode & 0o777).toBe(0o600);
    // A credential that is moved to another user opens no more.
    const moved = text.replace('"user": "ann"', '"user": "bob"');
    await writeFile(gateway.store.file, moved);
    expect(() => gateway.store.find({ server: 'wiki', user: 'bob' })).toThrow('sealed with another key');
  });
});
