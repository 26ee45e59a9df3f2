import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { describeInBrowser, useConsole } from './support/suite.ts';

const MEMORIES = 300;
const ACTIONS = toRounds(100, 1_000);
const SAMPLES = 5;
/** Compiled code, and answers, which are kept for half a minute. What each action left behind would be more, over so many. */
const MOST_MORE_MB = 2;
const user_id = 'tess';
const WORDS = ['kayak', 'harbour', 'lantern', 'cello', 'barometer', 'heron', 'orchard', 'violin', 'sextant', 'walnut'];
const wordOf = (number: number): string => WORDS[number % WORDS.length] ?? '';

/** What a page keeps after its browser has collected what nothing refers to. */
interface Kept {
  readonly heapMb: number;
  readonly nodes: number;
  readonly listeners: number;
}

async function readKept(session: CDPSession): Promise<Kept> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const readMetric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  return {
    heapMb: readMetric('JSHeapUsedSize') / 1_000_000,
    nodes: readMetric('Nodes'),
    listeners: readMetric('JSEventListeners'),
  };
}

const scrollTo = (page: Page, share: number) =>
  page.evaluate(
    `(() => { const main = document.getElementById('main'); main.scrollTop = main.scrollHeight * ${share}; })()`,
  );

async function openAndClose(page: Page): Promise<void> {
  await page.locator('.memory > button').first().click();
  await page
    .getByRole('dialog')
    .getByText(/^When:/)
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function search(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox').fill(words);
  await page.keyboard.press('Enter');
  await page.locator('mark').first().waitFor();
}

async function showAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
}

async function lookElsewhere(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'You' }).click();
  await page.getByText('Take everything along').waitFor();
  await page.getByRole('link', { name: 'Memories' }).click();
  await page.locator('.memory').first().waitFor();
}

/** What a person does, over and over; each search has words of its own. */
const actions: readonly ((page: Page, round: number) => Promise<unknown>)[] = [
  (page) => openAndClose(page),
  (page) => scrollTo(page, 0.6),
  (page) => scrollTo(page, 0),
  (page, round) => search(page, `${wordOf(round)} ${wordOf(round * 3 + 1)} number ${round}`),
  (page) => openAndClose(page),
  (page) => showAll(page),
  (page, round) =>
    page
      .locator('.memory')
      .nth(round % 4)
      .getByRole('checkbox')
      .click(),
  (page, round) =>
    page
      .locator('.memory')
      .nth(round % 4)
      .getByRole('checkbox')
      .click(),
  (page) => page.getByLabel('Kind').selectOption('Note'),
  (page) => lookElsewhere(page),
];

describeInBrowser('the memory of the browser', () => {
  const test = useConsole();

  it(`is the same after ${ACTIONS} actions as before`, async () => {
    const documents = Array.from({ length: MEMORIES }, (_one, at) => ({
      content: `Memory number ${at}: the ${wordOf(at)} lies next to the ${wordOf(at * 7 + 3)}.`,
      metadata: { user_id, occurred_at: new Date(Date.UTC(2025, 0, 1 + at)).toISOString() },
    }));
    await test.call('knowledge-base__add_documents', { documents });
    const page = await test.open(user_id);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    await page.locator('.memory').first().waitFor();
    const kept: Kept[] = [];
    // What is loaded when it is first needed, and the caches, are there after the first actions.
    for (let done = 0; done < ACTIONS + ACTIONS / SAMPLES; done += 1) {
      if (done > 0 && done % (ACTIONS / SAMPLES) === 0) kept.push(await readKept(session));
      await actions[done % actions.length]?.(page, Math.floor(done / actions.length));
    }
    kept.push(await readKept(session));
    process.stderr.write(`after each ${ACTIONS / SAMPLES} actions: ${JSON.stringify(kept)}\n`);
    const [first, last] = [kept[0], kept.at(-1)];
    if (first === undefined || last === undefined) throw new Error('nothing was read');
    expect(last.nodes).toBeLessThanOrEqual(first.nodes * 1.1);
    expect(last.listeners).toBeLessThanOrEqual(first.listeners * 1.1);
    expect(last.heapMb - first.heapMb).toBeLessThan(MOST_MORE_MB);
  });
});
