import { expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { readSearch } from '../src/memories/read-search.ts';
import { fillEverything } from './support/everything.ts';
import { describeInBrowser, useConsole } from './support/suite.ts';

/** What only those who run the servers know of: words, raw lines of a conversation, numbers that rate. */
const FORBIDDEN =
  /\bstores?\b|\bscore|knowledge base|knowledge-base|user_id|\bwindows?\b|\bturns?\b|importance|\d\.\d{2}\b|\[\d{4}-\d\d-\d\d\]|(?:^|\s)(?:user|assistant): |得分|知识库|存储|窗口|轮次|保存先|スコア|ウィンドウ/iu;
const ROOMS = ['home', 'memories', 'things', 'ask?question=honey', 'you', 'conversations', 'decisions'] as const;
/** What is there when a room is complete. */
const READY: Readonly<Record<string, string>> = {
  home: '.lines a',
  memories: '.memory',
  things: 'main table',
  ask: '.lines .memory',
  conversations: 'main table',
};

/** Clicks on a button that downloads a file, and answers the file. */
async function takeAlong(page: Page, name: string): Promise<Buffer> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  const stream = await (await downloading).createReadStream();
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

describeInBrowser("a person's pages", () => {
  const test = useConsole();
  const remember = (user_id: string, text: string, fields = {}) =>
    test.call<{ readonly id: string }>('remember', { user_id, text, ...fields });
  const list = async (user_id: string): Promise<string> =>
    JSON.stringify(await test.call('list_memories', { user_id, limit: 100 }));

  it.each(['en-GB', 'zh-CN', 'ja-JP'])('say nothing in the words of those who built it, in %s', async (locale) => {
    const user = `tess-${locale}`;
    await fillEverything(test.call, user);
    const page = await test.open(user, 'home', { locale });
    const found: string[] = [];
    const read = async (name: string): Promise<void> => {
      const text = String(await page.evaluate('document.body.innerText'));
      const word = FORBIDDEN.exec(text);
      if (word !== null) found.push(`${name}: …${text.slice(Math.max(0, word.index - 40), word.index + 40)}…`);
    };
    for (const room of ROOMS) {
      await page.goto(`${test.url()}/#${room}`);
      const name = room.split('?')[0] ?? room;
      await page
        .locator(READY[name] ?? 'main h1')
        .first()
        .waitFor();
      await read(room);
    }
    await page.goto(`${test.url()}/#memories?query=the honey`);
    await page.locator('mark').first().waitFor();
    await read('search');
    expect(new Set(await page.locator('mark').allTextContents())).toEqual(new Set(['honey']));
    await page.locator('.memory > button').first().click();
    await page.getByText(/^(?:When|时间|いつ): /).waitFor();
    await read('details');
    expect(found).toEqual([]);
  });

  it('begin with who one is, what comes, what was last and this day in other years, each leading to its source', async () => {
    const user = 'una';
    const now = new Date();
    const day = (years: number): string => {
      const date = new Date(now.getFullYear() + years, now.getMonth(), now.getDate(), 12);
      return date.toISOString();
    };
    await remember(user, 'I live in Leith.');
    await remember(user, 'I oil the old clock.', { kind: 'note' });
    const event = (description: string, timestamp: string) =>
      test.call('personal-memory__add_event', { user_id: user, event_type: 'other', description, timestamp });
    await event('Flight to Oslo', day(1));
    await event('Sailed to Inchkeith', day(-2));
    const page = await test.open(user, '');
    const section = (name: string) => page.locator('section', { has: page.getByRole('heading', { name }) });
    await section('About you').getByText('Lives in: Leith').waitFor();
    await section('Coming').getByText('Flight to Oslo').waitFor();
    await section('This day in other years').getByText('Sailed to Inchkeith').waitFor();
    await section('Latest').getByText('I oil the old clock.').click();
    expect(await page.getByRole('dialog').getByLabel('Wrong? Say what is right.').inputValue()).toBe(
      'I oil the old clock.',
    );
  });

  it('show the first memory in the first half of a phone', async () => {
    await remember('vic', 'I carve spoons.', { kind: 'note' });
    const page = await test.open('vic', 'memories', { viewport: { width: 390, height: 844 } });
    await page.getByText('I carve spoons.').waitFor();
    const box = await page.locator('.memory').first().boundingBox();
    expect(box?.y).toBeLessThan(422);
  });

  it('are searched by what was said and when, in one field', async () => {
    const user = 'uma';
    const { from = '' } = await readSearch('last summer');
    const event = (description: string, timestamp: string) =>
      test.call('personal-memory__add_event', { user_id: user, event_type: 'other', description, timestamp });
    await event('Sailed the boat to Inchkeith', `${from.slice(0, 4)}-07-10`);
    await event('Painted the boat', `${from.slice(0, 4)}-02-10`);
    await event('Ate plums', `${from.slice(0, 4)}-07-11`);
    const page = await test.open(user);
    const memories = page.locator('.memory');
    await memories.nth(2).waitFor();
    await page.getByRole('button', { name: 'Last summer' }).click();
    await page.getByText('Memories: 2 of 3').waitFor();
    await page.getByRole('searchbox').fill('the boat last summer');
    await page.getByRole('searchbox').press('Enter');
    await page.getByText('“last summer”: ').waitFor();
    await page.getByText('1 shown').waitFor();
    expect(await memories.allTextContents()).toEqual([expect.stringContaining('Inchkeith')]);
    expect(await page.locator('mark').allTextContents()).toEqual(['boat']);
    await page.getByRole('button', { name: 'Any time instead' }).click();
    await memories.filter({ hasText: 'Painted' }).waitFor();
    // An address is read as what somebody types.
    await page.evaluate("location.hash = '#memories?query=last summer'");
    await page.getByText('Memories: 2 of 3').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('last summer');
    await page.evaluate("location.hash = '#memories?query=the boat last summer'");
    await page.getByText('1 shown').waitFor();
    expect(await memories.allTextContents()).toEqual([expect.stringContaining('Inchkeith')]);
    await page.getByRole('button', { name: 'This day in other years' }).click();
    await page.getByText('No memory has this kind, tag and time.').waitFor();
  });

  it('are corrected by one sentence, which can be undone', async () => {
    await remember('wes', 'I keep a goose in Oslo.', { kind: 'note' });
    const page = await test.open('wes');
    await page.getByRole('button', { name: 'goose in Oslo' }).click();
    await page.getByLabel('Wrong? Say what is right.').fill('I keep a goose in Bergen.');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'goose in Bergen' }).waitFor();
    await page.getByText('Changed. This can be undone for a minute.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'goose in Oslo' }).waitFor();
    expect(await list('wes')).not.toContain('Bergen');
  });

  it('take back what was just stored', async () => {
    const page = await test.open('wim', 'home');
    await page.getByLabel('Remember something').fill('I keep a goat.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Remembered: Note').waitFor();
    expect(await list('wim')).toContain('goat');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Remembered: Note').waitFor({ state: 'detached' });
    expect(await list('wim')).not.toContain('goat');
  });

  it('name who is spoken of in conversations, without a model, and no persona', async () => {
    const talk =
      'Xan: I mend clocks. My sister Ros helps.\nMarlow: Where do you mend them?\nXan: At the yard of my brother Callum.';
    await test.call('store_conversation_memory', { user_id: 'xan', conversation_history: talk });
    const page = await test.open('xan', 'things');
    const rows = page.locator('main tbody tr');
    await rows.nth(1).waitFor();
    const toKinds = async () =>
      (await rows.allInnerTexts())
        .map((row) =>
          row
            .split(/\s*\t\s*|\n/u)
            .slice(0, 2)
            .join(': '),
        )
        .sort();
    expect(await toKinds()).toEqual(['Callum: Brother', 'Ros: Sister']);
    // The same through another door.
    expect(JSON.stringify(await test.call('list_memories', { user_id: 'xan', kind: 'entity' }))).toContain(
      'Ros (sister)',
    );
    await page.getByRole('link', { name: 'Callum' }).click();
    await page.getByRole('button', { name: 'This is no person and no thing' }).click();
    await page.getByText('Put aside.').waitFor();
    expect(await toKinds()).toEqual(['Ros: Sister']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await rows.nth(1).waitFor();
    await page.getByRole('link', { name: 'Callum' }).click();
    await page.getByRole('button', { name: 'This is no person and no thing' }).click();
    const putAside = page.waitForResponse((one) => one.request().postData()?.includes('delete_entity') === true);
    await page.getByRole('link', { name: 'Home' }).click();
    await putAside;
    await page.reload();
    await page.locator('.names li').first().waitFor();
    expect(await page.locator('.names li').allTextContents()).toEqual(['Ros']);
    // Reading the conversation once more does not bring back what a person put aside.
    const again = `${talk}\nMarlow: And today?\nXan: My brother Callum is away.`;
    await test.call('store_conversation_memory', { user_id: 'xan', conversation_history: again });
    await page.getByRole('link', { name: 'People and things' }).click();
    await page.getByLabel('Show what was put aside (1)').waitFor();
    expect(await toKinds()).toEqual(['Ros: Sister']);
    await page.getByLabel('Show what was put aside (1)').check();
    await page.getByRole('link', { name: 'Callum' }).click();
    await page.getByRole('button', { name: 'It is one: show it again' }).click();
    await page.getByRole('button', { name: 'This is no person and no thing' }).waitFor();
    await page.getByRole('link', { name: 'What was said about it' }).click();
    await page.locator('.memory', { hasText: 'brother Callum' }).first().waitFor();
    expect(await page.locator('.memory .face').allTextContents()).toContain('X');
  });

  it('make one of two people who are the same, which can be undone', async () => {
    const user = 'abe';
    const create = (name: string) =>
      test.call('personal-memory__create_entity', { user_id: user, entity_type: 'person', name });
    await create('Mia Holm');
    await create('Miriam Holm');
    const page = await test.open(user, 'things');
    const names = page.locator('main th[scope=row]');
    const merge = async (): Promise<void> => {
      await page.getByRole('link', { name: 'Mia Holm' }).click();
      await page.getByLabel('The same as').selectOption({ label: 'Miriam Holm (Person)' });
      await page.getByRole('button', { name: 'Make one of both' }).click();
      await page.getByText('Made one of both. This can be undone for a minute.').waitFor();
      await page.getByRole('link', { name: 'All people and things' }).click();
      await names.first().waitFor();
      expect(await names.allTextContents()).toEqual(['Mia Holm']);
    };
    await merge();
    await page.getByRole('button', { name: 'Undo' }).click();
    await names.nth(1).waitFor();
    await merge();
    const merging = page.waitForResponse(
      (response) => response.request().postData()?.includes('merge_entities') === true,
    );
    await page.getByRole('link', { name: 'Home' }).click();
    await merging;
    expect(JSON.stringify(await test.call('personal-memory__list_entities', { user_id: user }))).toContain(
      'Miriam Holm',
    );
    await page.getByRole('link', { name: 'People and things' }).click();
    await page.locator('main th[scope=row]').first().waitFor();
    expect(await names.allTextContents()).toEqual(['Mia Holm']);
  });

  it('are taken along as a text that people read', async () => {
    await remember('yan', 'I carve *spoons*.', { kind: 'note' });
    const talk = 'Yan: I mend <b>clocks</b>.\nMia: Where?';
    await test.call('store_conversation_memory', { user_id: 'yan', conversation_history: talk });
    const page = await test.open('yan', 'you');
    const take = async (name: string): Promise<string> => (await takeAlong(page, name)).toString();
    await remember('yan', `I know every boat: ${'the Heron and the Wren, '.repeat(90)}and the Kittiwake.`, {
      kind: 'note',
    });
    // The file begins before the first page of memories has come.
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await page.route('**/mcp/**', async (route) => {
      if (route.request().postData()?.includes('"limit":100') === true) await begun;
      await route.continue();
    });
    const downloading = page.waitForEvent('download');
    const taking = take('As text (Markdown)');
    expect((await downloading).url()).toContain('/assets/download/');
    begin();
    const markdown = await taking;
    // Lists show the beginning of a long text; what is taken along is all of it.
    expect(markdown).toContain('and the Kittiwake.');
    expect(markdown).toContain('I carve \\*spoons\\*.');
    expect(markdown).toContain('- **Yan** I mend \\<b\\>clocks');
    expect(await take('As a page (HTML)')).toContain('<b>Yan</b> I mend &lt;b&gt;clocks');
    expect(await take('For another assistant')).toMatch(/^\[\d{4}-\d\d-\d\d\] - I carve \*spoons\*\.$/mu);
  });

  it.each([
    ['en-GB', 'As linked notes, for Obsidian (ZIP)'],
    ['zh-CN', '相互链接的笔记，可用 Obsidian 打开（ZIP）'],
    ['ja-JP', 'リンク付きのノート、Obsidian 用（ZIP）'],
  ])('are taken along as notes that link to people, in %s', async (locale, name) => {
    const user = `yoko-${locale}`;
    const person = { user_id: user, entity_type: 'person', name: 'Mia [Holm]' };
    const { entity_id } = await test.call<{ readonly entity_id: number }>('personal-memory__create_entity', person);
    const dinner = { event_type: 'other', description: 'Dinner in Leith', related_entity_ids: [entity_id] };
    await test.call('personal-memory__add_event', { user_id: user, ...dinner });
    await remember(user, 'Mia [Holm] carves spoons.', { kind: 'note' });
    const page = await test.open(user, 'you', { locale });
    const entries = Object.entries(unzipSync(await takeAlong(page, name)));
    const notes = entries.map(([path, bytes]) => [path, Buffer.from(bytes).toString()] as const);
    expect(notes.map(([path]) => path.split('/')[0]).sort()).toEqual(['entity', 'event', 'index.md', 'note']);
    expect(notes.find(([path]) => path.startsWith('entity/'))?.[0]).toBe('entity/Mia %5BHolm%5D.md');
    for (const words of ['Dinner in Leith', 'Mia [Holm] carves spoons.']) {
      const [, note] = notes.find(([, one]) => one.endsWith(`\n\n${words}\n`)) ?? [];
      expect(note).toContain('\nabout: ["[[Mia %5BHolm%5D]]"]\n');
    }
  });

  it('say what else goes with what is deleted', async () => {
    const { id } = await remember('yara', 'They sell kilns at the fair in Leith.', { kind: 'note' });
    const event = { event_type: 'other', description: 'A fair of kilns', timestamp: '2026-05-02', derived_from: [id] };
    await test.call('personal-memory__add_event', { user_id: 'yara', ...event });
    const page = await test.open('yara', 'memories');
    await page.getByRole('button', { name: 'They sell kilns' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 drawn from this alone would go too:').waitFor();
    await page.locator('.bar').getByText('A fair of kilns').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'They sell kilns' }).waitFor();
    expect(await page.getByText('would go too').count()).toBe(0);
  });

  it('tell what an assistant would be told, and lead from a line to what it came from', async () => {
    await remember('zoe', 'I keep bees behind the old chapel.', { kind: 'note' });
    const page = await test.open('zoe', 'ask');
    await page.getByLabel('Your question').fill('Where are the bees?');
    await page.getByRole('button', { name: 'Look' }).click();
    await page.getByText('found for this question').waitFor();
    await page.getByLabel('Remember something').fill('I keep geese in the yard.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'This should not be here' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 deleted').waitFor();
    expect(await list('zoe')).toContain('geese in the yard');
  });
});
