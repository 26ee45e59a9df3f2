import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromiumPath, openPage, startBrowser, type WatchedPage } from './browser.ts';
import { type RunningStack, startStack } from './stack.ts';

/** A suite that needs a browser: skipped where there is none, unless CI installs one, since a skip would hide a failing page. */
export const describeInBrowser =
  chromiumPath === undefined && process.env['CI'] === undefined ? describe.skip : describe;

/** The page of one running product, shared by a suite. */
export interface ConsoleSuite {
  /** Opens a room as a user, in a context of its own; it is closed after the test. */
  readonly open: (user: string, room?: string, options?: BrowserContextOptions) => Promise<Page>;
  readonly call: <T>(name: string, args: object) => Promise<T>;
  readonly url: () => string;
  readonly keysFile: () => string;
}

/** Starts the product and a browser for a suite; each test fails where the browser complained of anything. */
export function useConsole(): ConsoleSuite {
  let stack: RunningStack;
  let browser: Browser;
  let opened: WatchedPage[] = [];
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
  });
  afterEach(async () => {
    const complaints = opened.flatMap((one) => one.complaints);
    await Promise.all(opened.map((one) => one.close()));
    opened = [];
    expect(complaints).toEqual([]);
  });
  return {
    open: async (user, room = 'memories', options = {}) => {
      const watched = await openPage(browser, options);
      opened.push(watched);
      const { page } = watched;
      await page.addInitScript({ content: `localStorage.setItem('contextloom.users', ${JSON.stringify(user)})` });
      await page.goto(`${stack.url}/#${room}`);
      return page;
    },
    call: <T>(name: string, args: object) => stack.call(name, args) as Promise<T>,
    url: () => stack.url,
    keysFile: () => stack.keysFile,
  };
}
