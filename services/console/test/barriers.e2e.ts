import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addKey, revokeKey } from '@contextloom/access';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/browser.ts';
import { fillEverything } from './support/everything.ts';
import { describeInBrowser, useConsole } from './support/suite.ts';

const USER = 'tess';
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;
/** The usual rules of axe that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** A folder for a picture of every view, in every combination; none without it. */
const PICTURES = process.env['SCREENSHOTS'];

/** A view of the page: what opens it, in words that both languages share, and what is there when it is complete. */
interface View {
  readonly name: string;
  readonly room: string;
  readonly user?: string;
  readonly open?: (page: Page) => Promise<unknown>;
  readonly ready: string;
  readonly leave?: (page: Page) => Promise<unknown>;
}

const openMemory = (page: Page) => page.locator('.memory > button', { hasText: 'honey' }).first().click();
const views: readonly View[] = [
  { name: 'home', room: 'home', ready: '.lines a' },
  { name: 'you', room: 'you', ready: 'main h2' },
  { name: 'start', room: 'memories', user: 'nobody', ready: 'main pre' },
  { name: 'memories', room: 'memories', ready: '.memory' },
  { name: 'search', room: 'memories', open: (page) => search(page, 'honey'), ready: 'mark' },
  { name: 'nothing-found', room: 'memories', open: narrowToNothing, ready: '[role=alert]' },
  { name: 'memory', room: 'memories', open: openMemory, ready: '[role=dialog] .turn' },
  { name: 'merge', room: 'memories', open: openMerge, ready: '[role=dialog] textarea:not([readonly])' },
  {
    name: 'deleted',
    room: 'memories',
    open: deleteOne,
    ready: '.bar button',
    leave: (page) => page.locator('.bar button').click(),
  },
  { name: 'things', room: 'things', ready: '.react-flow__node' },
  {
    name: 'thing',
    room: 'things',
    open: (page) => page.locator('table a', { hasText: 'Heron' }).click(),
    ready: '.month-bar',
  },
  {
    name: 'prompt',
    room: 'prompt?question=honey',
    open: (page) => page.locator('main details > summary').last().click(),
    ready: '.line',
  },
  { name: 'ask', room: 'ask?question=honey', ready: '.lines .memory' },
  { name: 'conversations', room: 'conversations', ready: 'main table' },
  { name: 'decisions', room: 'decisions', ready: '[role=alert]' },
  { name: 'users', room: 'users', ready: 'main table' },
  { name: 'keys', room: 'keys', ready: 'main form' },
  { name: 'servers', room: 'servers', ready: 'main table' },
  { name: 'activity', room: 'activity', ready: 'main table' },
];

async function chooseUser(page: Page, user: string): Promise<void> {
  const field = page.locator('header input[list]');
  await field.fill(user);
  await field.press('Enter');
}

async function search(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox').fill(words);
  await page.keyboard.press('Enter');
}

async function narrowToNothing(page: Page): Promise<void> {
  await page.locator('main .short-field input').fill('zeppelin');
  await page.keyboard.press('Enter');
}

async function choose(page: Page, count: number): Promise<void> {
  await page.locator('.memory').first().waitFor();
  for (let at = 0; at < count; at += 1) await page.locator('.memory').nth(at).getByRole('checkbox').check();
}

async function openMerge(page: Page): Promise<void> {
  await choose(page, 2);
  await page.locator('main button', { hasText: /Merge two|合并两条/ }).click();
}

async function deleteOne(page: Page): Promise<void> {
  await choose(page, 1);
  await page.locator('main button', { hasText: /^(Delete|删除) \(/ }).click();
}

/** Tries a view as it stands in both themes and both widths. */
async function tryOut(page: Page, view: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const name = `${view}-${size.width}-${colorScheme}`;
      if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
      // A theme is other colours and nothing else: no other rule has anything new to say about the second.
      const rules = colorScheme === 'dark' ? COLOUR_RULES : undefined;
      found.push(...(await findBarriers(page, rules)).map((barrier) => `${name}: ${barrier}`));
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${name}: too wide`);
    }
  }
  await page.setViewportSize(SIZES[0]);
  return found;
}

describeInBrowser('every view', () => {
  const test = useConsole();
  beforeAll(() => fillEverything(test.call, USER));

  it.each(['en-GB', 'zh-CN'])(
    'has no barriers and is not too wide in %s, light and dark, on a screen and on a phone',
    async (locale) => {
      if (PICTURES !== undefined) await mkdir(PICTURES, { recursive: true });
      const page = await test.open(USER, 'servers', { locale });
      page.setDefaultTimeout(30_000);
      const found: string[] = [];
      let before = 'servers';
      for (const { name, room, user = USER, open, ready, leave } of views) {
        await page.goto(`${test.url()}/#${room}`);
        // A room that is open stays as it is until the page is loaded again.
        if (room === before) await page.reload();
        before = room;
        await chooseUser(page, user);
        await open?.(page);
        await page.locator(ready).first().waitFor();
        found.push(...(await tryOut(page, `${name}-${locale}`)));
        await leave?.(page);
      }
      expect(found).toEqual([]);
    },
  );

  it.each(['en-GB', 'zh-CN'])('has no barriers where a key is asked for, in %s', async (locale) => {
    const options = { file: test.keysFile(), clock: () => new Date() };
    await addKey({ name: `key-${locale}`, users: [USER], scopes: ['read'] }, options);
    const page = await test.open(USER, 'memories', { locale });
    await page.locator('input[type=password]').waitFor();
    expect(await tryOut(page, `sign-in-${locale}`)).toEqual([]);
    await revokeKey(`key-${locale}`, options);
  });
});
