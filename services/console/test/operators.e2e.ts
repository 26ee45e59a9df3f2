import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, findBarriers, openPage, startBrowser, type WatchedPage } from './support/browser.ts';
import { type RunningStack, startStack } from './support/stack.ts';

const command = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));
/** Markup, and a mark that turns the direction of what follows. */
const HOSTILE = '<img src=x onerror="document.title=1">\u202Egnp';

describeInBrowser('the rooms of those who run it', () => {
  let stack: RunningStack;
  let browser: Browser;
  let folder: string;
  let opened: WatchedPage | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contextloom-operators-'));
    [stack, browser] = await Promise.all([startStack(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    const { complaints = [] } = opened ?? {};
    await opened?.close();
    opened = undefined;
    expect(complaints).toEqual([]);
  });

  async function open(user: string, room: string, options: BrowserContextOptions = {}): Promise<Page> {
    opened = await openPage(browser, options);
    const { page } = opened;
    await page.addInitScript({ content: `localStorage.setItem('contextloom.users', ${JSON.stringify(user)})` });
    await page.goto(`${stack.url}/#${room}`);
    return page;
  }

  const remember = (user: string, text: string) => stack.call('remember', { user_id: user, text, kind: 'note' });
  const list = async (user: string): Promise<string> =>
    JSON.stringify(await stack.call('list_memories', { user_id: user }));

  it('lists users with how much is stored, and downloads an archive that is taken in again', async () => {
    await remember('ann', 'I live in Leith.');
    const page = await open('ann', 'users');
    const row = page.getByRole('row', { name: 'ann' });
    await row.getByText('knowledge-base: documents 1').waitFor();
    expect(await row.textContent()).toMatch(/20\d\d/);
    const downloading = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Export ann' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('ann.zip');
    const file = join(folder, 'ann.zip');
    await download.saveAs(file);
    await page.getByText('The archive of ann is downloaded. It is whole.').waitFor();
    await stack.call('forget_user', { user_id: 'ann', dry_run: false });
    expect(await list('ann')).not.toContain('Leith');
    const args = [command, 'import', file, '--user', 'ann', '--url', `${stack.url}/mcp`];
    await promisify(execFile)(process.execPath, args, { cwd: folder });
    expect(await list('ann')).toContain('I live in Leith.');
  });

  it('shows names with markup as text', async () => {
    await remember(HOSTILE, 'I live in Porto.');
    const page = await open('ann', 'users');
    await page.getByRole('button', { name: HOSTILE, exact: true }).click();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('cell', { name: HOSTILE }).first().waitFor();
    expect(await page.title()).toBe('Activity – Contextloom');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('shows how long servers take, and starts one again', async () => {
    await remember('bea', 'I row.');
    const page = await open('bea', 'servers');
    const row = page.getByRole('row', { name: 'knowledge-base' });
    await row.getByText(/\d ms/).first().waitFor();
    await row.getByRole('button', { name: 'Restart knowledge-base' }).click();
    await page.getByText('knowledge-base runs again.').waitFor();
    expect(await list('bea')).toContain('I row.');
  });

  it('shows calls as they come, by user and result', async () => {
    const page = await open('cleo', 'activity');
    await page.getByRole('columnheader', { name: 'Operation' }).waitFor();
    await remember('cleo', 'I weave.');
    await page.getByRole('row', { name: /remember.*cleo.*ok/ }).waitFor();
    await page.getByLabel('About the user').fill('cleo');
    await page.getByLabel('Result').selectOption('failed');
    await page.getByText('No call matches').waitFor();
    await stack.call('forget', { user_id: 'cleo', id: 'note:none' }).catch(() => undefined);
    await page.getByRole('row', { name: /forget.*not_found/ }).waitFor();
  });

  it('opens on a user who has memories, and takes a file for the one who is shown', async () => {
    await remember('gus', 'I carve spoons.');
    opened = await openPage(browser);
    const { page } = opened;
    await page.goto(`${stack.url}/#memories`);
    await page.locator('.memory').first().waitFor();
    const shown = await page.getByLabel('User', { exact: true }).inputValue();
    expect(shown).not.toBe('default');
    await page.getByRole('link', { name: 'You' }).click();
    await page.getByRole('link', { name: 'Bring in conversations' }).click();
    const buffer = Buffer.from('[2024-03-05]\nuser: I repair harps.\nMia: Where?\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'harps.txt', mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('row', { name: /done 1 1 0/ }).waitFor();
    expect(await list(shown)).toContain('I repair harps.');
    expect(await list('default')).not.toContain('harps');
  });

  it('imports a file that is chosen: what is in it, who the user is, how far it is, and the way back', async () => {
    const page = await open('finn', 'conversations');
    const buffer = Buffer.from('[2024-03-05]\nFinn: I mend clocks.\nMia: Where?\n');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await choosing).setFiles({ name: `${HOSTILE}.txt`, mimeType: 'text/plain', buffer });
    await page.getByRole('row', { name: 'Conversations 1' }).waitFor();
    await page.getByRole('row', { name: /Speakers Finn \(1\) Mia \(1\)/ }).waitFor();
    await page.getByLabel('Who of them are you?').selectOption('Finn');
    await page.getByRole('row', { name: /Speakers user \(1\) Mia/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await list('finn')).not.toContain('clocks');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const row = page.getByRole('row', { name: /done 1 1 0/ });
    await row.waitFor();
    expect(await list('finn')).toContain('I mend clocks.');
    await row.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('1 memories removed').waitFor();
    expect(await list('finn')).not.toContain('clocks');
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('imports a file that is dropped: why one cannot be read, how far another is, and its end', async () => {
    const page = await open('gil', 'conversations');
    const drop = async (name: string, content: string): Promise<void> => {
      const file = { name, content };
      const dataTransfer = await page.evaluateHandle(
        `(() => {
          const { name, content } = ${JSON.stringify(file)};
          const dropped = new DataTransfer();
          dropped.items.add(new File([content], name));
          return dropped;
        })()`,
      );
      await page.getByText('Drop a file here').dispatchEvent('drop', { dataTransfer });
    };
    await drop('broken.zip', 'PK\u0003\u0004 and no archive');
    await page.getByRole('alert').getByText('no ZIP archive, or a damaged one').waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Put it away' }).click();
    const turns = Array.from(
      { length: 1_500 },
      (_one, at) => `${at % 2 === 0 ? 'Gil' : 'Mia'}: Clock ${at} is mended.`,
    );
    await drop('clocks.txt', `[2024-03-05]\n${turns.join('\n')}\n`);
    await page.getByRole('row', { name: 'Messages 1500' }).waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText(/\d+ of 1500 messages/).waitFor();
    await page.getByRole('row', { name: /clocks\.txt.*done 1 \d+ 0/ }).waitFor();
    expect(await list('gil')).toContain('is mended.');
  });

  // Last: from the first key on the server asks everybody for one.
  it('makes the first key and goes on with it, makes one for a user, and takes it back', async () => {
    await remember('eve', 'I climb.');
    const page = await open('eve', 'keys');
    await page.getByText('There are no keys').waitFor();
    const make = async (name: string): Promise<string> => {
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.getByRole('heading', { name: `The key "${name}"` }).waitFor();
      return (await page.locator('main code').textContent()) ?? '';
    };
    const admin = await make('operator');
    await page.getByRole('button', { name: 'Go on with this key here' }).click();
    await page.getByRole('row', { name: /operator all admin/ }).waitFor();
    await page.getByLabel('Users').fill('eve');
    const bound = await make('eve-phone');
    await page.reload();
    await page.getByRole('row', { name: /eve-phone eve write/ }).waitFor();
    const texts = (await page.locator('main').textContent()) ?? '';
    expect([texts.includes(admin), texts.includes(bound)]).toEqual([false, false]);

    const other = await openPage(browser);
    await other.page.goto(`${stack.url}/#keys`);
    await other.page.getByLabel('Key').fill(bound);
    await other.page.getByRole('button', { name: 'Open' }).click();
    // What is of administration is not there for a key of one user, whatever the address says.
    await other.page.getByRole('heading', { name: 'What is remembered of you' }).waitFor();
    await other.page.getByText('I climb.').waitFor();
    expect(await other.page.getByText('Administration').count()).toBe(0);

    await page.getByRole('button', { name: 'Revoke eve-phone' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /eve-phone/ }).waitFor({ state: 'detached' });
    await other.page.getByRole('link', { name: 'Memories' }).click();
    await other.page
      .getByText(/That did not work|asks who you are/)
      .first()
      .waitFor();
    await other.close();
  });
});
