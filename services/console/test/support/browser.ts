import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Where systems have their Chromium; `CHROMIUM` names another. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The system's Chromium; undefined where there is none. */
export const chromiumPath = [process.env['CHROMIUM'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));

if (chromiumPath === undefined) process.stderr.write('skipped: no Chromium on this machine (CHROMIUM names one)\n');
/** Skips without a Chromium. What CI installs has to be there: a skip would hide a failing page. */
export const describeInBrowser =
  chromiumPath === undefined && process.env['CI'] === undefined ? describe.skip : describe;

/** Starts the system's Chromium. A container has no sandbox of its own, and the pages are ours. */
export function startBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('no Chromium');
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page, and what its browser complained about: refused scripts and styles, errors of code. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens a page of its own, with nothing remembered of earlier ones. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    // A refused call is told on the page; that the browser logs its status is no fault of the page.
    const isStatus = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isStatus) complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, complaints, close: () => context.close() };
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds serious or critical on a page as it stands, as `rule: element`; by its usual rules, or these. */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  });
  const run = `axe.run(${options}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as readonly Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
