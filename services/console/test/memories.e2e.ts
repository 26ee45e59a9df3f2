import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, useConsole } from './support/suite.ts';

const PERSONAL = 'personal-memory__';
const bees = [
  { role: 'user', content: 'I keep bees behind the old chapel.' },
  { role: 'assistant', content: 'How many hives?' },
  ...Array.from({ length: 12 }, (_one, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `Line ${at} about the honey.`,
  })),
];

const dayTexts = (page: Page) => page.locator('.memories').getByRole('heading', { level: 2 }).allTextContents();
const isWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth');

/** Whether the element with the focus has an outline, or a border in the colour of the page. */
const SHOWS_FOCUS = `(() => {
  const { outlineStyle, borderTopColor } = getComputedStyle(document.activeElement);
  const { backgroundColor } = getComputedStyle(document.querySelector('.pages [aria-current]'));
  return document.activeElement !== document.body && (outlineStyle !== 'none' || borderTopColor === backgroundColor);
})()`;

/** Waits until an expression holds on the page, whose policy lets no test wait in it. */
async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await page.evaluate(expression)) return;
    await page.waitForTimeout(20);
  }
  throw new Error(`never: ${expression}`);
}

describeInBrowser('the memories in the console', () => {
  const test = useConsole();
  const remember = (user_id: string, text: string, fields = {}) =>
    test.call<{ readonly id: string }>('remember', { user_id, text, ...fields });
  const list = async (user_id: string): Promise<string> =>
    JSON.stringify(await test.call('list_memories', { user_id, limit: 100 }));

  it('are one timeline over all stores, narrowed by kind, tag and days', async () => {
    const user_id = 'lea';
    const note = (doc_id: string, occurred_at: string, tags: readonly string[]) =>
      test.call('knowledge-base__add_document', { content: doc_id, doc_id, tags, metadata: { user_id, occurred_at } });
    const event = (description: string, timestamp: string, tags: readonly string[] = []) =>
      test.call(`${PERSONAL}add_event`, { user_id, event_type: 'other', description, timestamp, tags });
    await note('sailed to Inchkeith', '2026-03-01T10:00:00Z', ['sea']);
    await event('mended the jib', '2026-03-02T10:00:00Z', ['sea']);
    await note('baked rye bread', '2026-03-03T10:00:00Z', ['kitchen']);
    await event('bought flour', '2026-03-03T08:00:00Z');
    const page = await test.open(user_id);
    await page.getByRole('button', { name: 'Inchkeith' }).waitFor();
    expect(await page.locator('.memory .words').allTextContents()).toEqual([
      'baked rye bread',
      'bought flour',
      'mended the jib',
      'sailed to Inchkeith',
    ]);
    expect(await dayTexts(page)).toEqual(['March 3, 2026', 'March 2, 2026', 'March 1, 2026']);
    await page.getByLabel('Tag').fill('sea');
    await page.keyboard.press('Enter');
    await page.getByText('Memories: 2 of 4').waitFor();
    await page.getByLabel('From').fill('2026-03-02');
    await page.getByText('Memories: 1 of 4').waitFor();
    expect(await page.locator('.memory .words').allTextContents()).toEqual(['mended the jib']);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('Memories: 4', { exact: true }).waitFor();
    await page.getByLabel('Kind').selectOption('Event');
    await page.getByText('Memories: 2 of 4').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('the flour');
    await page.keyboard.press('Enter');
    await page.locator('mark', { hasText: 'flour' }).waitFor();
    expect(await page.locator('.memory .words').allTextContents()).toEqual(['bought flour']);
    await page.getByLabel('To').fill('2026-03-02');
    await page.getByText('No memory answers this').waitFor();
  });

  it('show the conversation that they came from at the turn, and what they said before', async () => {
    await test.call('store_conversation_memory', { user_id: 'mia', conversation_history: bees });
    await remember('mia', 'I live in Leith.');
    await remember('mia', 'I live in Porto.');
    const page = await test.open('mia');
    await page.getByRole('button', { name: 'Line 11 about' }).click();
    const here = page.locator('.turn[aria-current]');
    await here.first().waitFor();
    expect(await here.allTextContents()).toEqual([
      'Mmia Line 10 about the honey.',
      'AAssistant Line 11 about the honey.',
    ]);
    // The box around it has scrolled there.
    expect(await page.evaluate("document.querySelector('.turns').scrollTop")).toBeGreaterThan(0);
    expect(await page.locator('.turn').first().textContent()).toContain('I keep bees');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'city: Porto Profile' }).click();
    await page.getByRole('heading', { name: 'Earlier values' }).waitFor();
    expect(await page.getByRole('dialog').textContent()).toContain(': Leith');
    expect(await page.getByRole('dialog').getByLabel('Wrong? Say what is right.').inputValue()).toBe('Porto');
    await page.getByRole('button', { name: 'Use this again' }).click();
    await page.getByText('Changed. This can be undone for a minute.').waitFor();
    await page.getByRole('button', { name: 'city: Leith Profile' }).waitFor();
  });

  it('show what was said where one was corrected, and the correction next to it', async () => {
    const talk = [
      { role: 'user', content: 'I keep geese in Oslo.' },
      { role: 'assistant', content: 'How many geese?' },
    ];
    await test.call('store_conversation_memory', { user_id: 'noa', conversation_history: talk });
    const page = await test.open('noa');
    await page.getByRole('button', { name: 'geese in Oslo' }).first().click();
    await page.getByLabel('Wrong? Say what is right.').fill('Noa keeps geese in Bergen.');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'geese in Bergen' }).click();
    await page.locator('.turn', { hasText: 'I keep geese in Oslo.' }).waitFor();
    // What was read before is shown until it is read again.
    await page.locator('.correction').waitFor();
    expect(await page.locator('.correction').allTextContents()).toEqual([
      'Corrected, what holds now: Noa keeps geese in Bergen.',
    ]);
    await page.getByRole('button', { name: 'Use this again' }).click();
    await page.getByRole('button', { name: 'geese in Oslo' }).click();
    await page.locator('.turn', { hasText: 'I keep geese in Oslo.' }).waitFor();
    await page.locator('.correction').waitFor({ state: 'detached' });
  });

  it('become one of two, and two again by undo', async () => {
    await remember('nia', 'Ros plays the cello', { kind: 'note' });
    await remember('nia', 'Ros has an old violin', { kind: 'note' });
    const page = await test.open('nia');
    const merge = async () => {
      await page.getByRole('checkbox', { name: 'cello' }).check();
      await page.getByRole('checkbox', { name: 'violin' }).check();
      await page.getByRole('button', { name: 'Merge two' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Merged text').and(page.locator(':not([readonly])')).fill('Ros plays cello and violin');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'cello and violin' }).waitFor();
      // The two leave the list on their own, not with the new one.
      await page.getByText('Memories: 1').waitFor();
      expect(await page.locator('.memory').count()).toBe(1);
    };
    await merge();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Memories: 2').waitFor();
    await page.getByRole('button', { name: 'old violin' }).waitFor();
    await page.getByRole('button', { name: 'plays the cello' }).waitFor();
    expect(await list('nia')).not.toContain('cello and violin');
    await merge();
    // Another room ends what can be undone.
    await page.getByRole('link', { name: 'Home' }).click();
    for (let tries = 0; tries < 600 && (await list('nia')).includes('old violin'); tries += 1)
      await page.waitForTimeout(50);
    expect(await list('nia')).toContain('cello and violin');
    expect(await list('nia')).not.toContain('old violin');
  });

  it('stay readable where one is hostile: a million characters, all the tags that a store takes, dates that are none or far away', async () => {
    const user_id = 'mallory';
    const add = (doc_id: string, content: string, more = {}) =>
      test.call('knowledge-base__add_document', { content, doc_id, metadata: { user_id }, ...more });
    await add('long', `long ${'w'.repeat(999_995)}`);
    const tags = Array.from({ length: 10_000 }, (_one, at) => `<b>tag-${at}</b>`);
    // The field for tags takes 64, the attributes of a thing 10,000 values.
    await expect(add('tagged', 'a note', { tags })).rejects.toThrow('tags must be at most 64 tags');
    for (const [doc_id, occurred_at] of [
      ['first', '0001-01-01T00:00:00Z'],
      ['last', '9999-12-31T23:59:59Z'],
      ['beyond', '+275760-09-13T00:00:01Z'],
    ] as const) {
      await add(doc_id, `a note, the ${doc_id}`, { metadata: { user_id, occurred_at } });
    }
    await add('dated', '<script>document.title="run"</script>', {
      metadata: {
        user_id,
        occurred_at: 'yesterday <img src=x onerror=alert(1)>',
        created_at: '99999-99-99',
        '<b>': '<i>',
      },
    });
    await test.call(`${PERSONAL}create_entity`, {
      user_id,
      entity_type: 'person',
      name: `<b>${'n'.repeat(150)}</b>`,
      attributes: {
        tags: tags.slice(0, 9_700),
        ...Object.fromEntries(
          Array.from({ length: 200 }, (_one, at) => [`<u>${at}</u>`, '<img src=x onerror=alert(1)>']),
        ),
      },
    });
    const page = await test.open(user_id, 'memories', { viewport: { width: 390, height: 844 } });
    await page.getByText('Memories: 6').waitFor();
    for (const name of [/^long/, 'the first', 'the last', 'the beyond', 'document.title', 'nnn']) {
      await page.getByRole('button', { name }).click();
      await page
        .getByRole('dialog')
        .getByText(/^When:/)
        .waitFor();
      expect(await isWide(page)).toBe(false);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.goto(`${test.url()}/#things`);
    await page.getByRole('link', { name: '<b>nnn' }).click();
    await page.getByRole('heading', { name: 'Attributes' }).waitFor();
    await page.getByRole('row', { name: /^tags .*<b>tag-1<\/b>/ }).waitFor();
    expect(await isWide(page)).toBe(false);
    expect(await page.title()).toBe('People and things – Contextloom');
    expect(await page.locator('main img, main script, main b, main i, main u').count()).toBe(0);
  });

  it('are walked by keyboard: what has the focus shows it, and a dialog keeps and returns it', async () => {
    await remember('pat', 'I sail a dinghy.', { kind: 'note' });
    const page = await test.open('pat');
    const memory = page.getByRole('button', { name: 'dinghy' });
    await memory.waitFor();
    const isFocused = () => page.evaluate("document.activeElement.matches('.memory > button')");
    for (let steps = 0; steps < 40 && !(await isFocused()); steps += 1) {
      await page.keyboard.press('Tab');
      await until(page, SHOWS_FOCUS);
    }
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^When:/).waitFor();
    for (let steps = 0; steps < 12; steps += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate("document.activeElement.closest('[role=dialog]') !== null")).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The dialog gives the focus back after it has closed.
    await until(page, "document.activeElement.matches('.memory > button')");
  });

  it('are corrected by keyboard alone: found, opened, given up with Escape, opened again, changed and saved', async () => {
    await remember('quin', 'I row a skiff called Tern.', { kind: 'note' });
    const page = await test.open('quin');
    await page.getByRole('button', { name: 'Tern' }).waitFor();
    const tabTo = async (selector: string): Promise<void> => {
      for (let steps = 0; steps < 60; steps += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
      }
      throw new Error(`Tab never reaches ${selector}`);
    };
    const type = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    };
    await tabTo('input[type=search]');
    await page.keyboard.type('skiff');
    await page.keyboard.press('Enter');
    await page.locator('mark', { hasText: 'skiff' }).waitFor();
    await tabTo('.memory > button');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/^When:/)
      .waitFor();
    await tabTo('textarea');
    await type('I sold it.');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await list('quin')).toContain('skiff called Tern');
    await until(page, "document.activeElement.matches('.memory > button')");
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/^When:/)
      .waitFor();
    await tabTo('textarea');
    await type('I row a skiff called Gannet.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Gannet' }).waitFor();
    expect(await list('quin')).not.toContain('Tern');
  });

  /** People and things of a user. */
  async function fillThings(user_id: string): Promise<void> {
    const create = async (entity_type: string, name: string) =>
      (await test.call<{ readonly entity_id: number }>(`${PERSONAL}create_entity`, { user_id, entity_type, name }))
        .entity_id;
    const [ros, heron] = [await create('person', 'Ros'), await create('vehicle', 'Heron')];
    const relation = { user_id, entity_id_1: ros, entity_id_2: heron, relation_type: 'owns' };
    await test.call(`${PERSONAL}create_entity_relation`, relation);
    for (const month of ['01', '02', '04']) {
      const about = { related_entity_ids: [heron], metadata: { cost: 40 } };
      const description = `Heron was checked in month ${month}`;
      const timestamp = `2026-${month}-10`;
      await test.call(`${PERSONAL}add_event`, { user_id, event_type: 'maintenance', description, timestamp, ...about });
    }
  }

  it('show people and things as a picture and as a table that says the same', async () => {
    await fillThings('kim');
    const page = await test.open('kim', 'things');
    await page.locator('.react-flow__node', { hasText: 'Heron' }).waitFor();
    expect(await page.locator('.react-flow__edge-text').allTextContents()).toEqual(['owns']);
    expect(await page.getByRole('table', { name: 'People and things' }).ariaSnapshot()).toContain('cell "owns Heron"');
    await page.locator('.react-flow__node', { hasText: 'Heron' }).click();
    await page.getByRole('heading', { name: 'Heron (Vehicle)' }).waitFor();
    await page.getByText('February 10, 2026: Heron was checked in month 02').waitFor();
    await page.locator('.month-bar').nth(2).waitFor();
    expect(await page.getByRole('table', { name: 'Events by month' }).ariaSnapshot()).toContain('2026-03 0 0');
    await page.getByRole('link', { name: 'All people and things' }).click();
    await page.getByRole('link', { name: 'Ros' }).click();
    const relations = page.getByRole('listitem').filter({ hasText: 'owns Heron' });
    await relations.first().waitFor();
    expect(await relations.count()).toBe(1);
  });
});
