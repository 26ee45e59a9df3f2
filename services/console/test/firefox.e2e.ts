import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Firefox, startFirefox } from './support/marionette.ts';
import { type RunningStack, startStack } from './support/stack.ts';

/** The system's Firefox; `FIREFOX` names another. */
const program = [process.env['FIREFOX'] ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
  (path) => path !== '' && existsSync(path),
);
if (program === undefined) process.stderr.write('skipped: no Firefox on this machine (FIREFOX names one)\n');

const button = (name: string): string => `//button[normalize-space()="${name}"]`;
const memory = (words: string): string => `//*[@class="memory"]//button[contains(., "${words}")]`;

(program === undefined ? describe.skip : describe)("a person's pages in Firefox", () => {
  let stack: RunningStack;
  let firefox: Firefox;
  const open = async (user: string, room: string): Promise<void> => {
    await firefox.goto(`${stack.url}/#you`);
    await firefox.evaluate(`localStorage.setItem('contextloom.users', ${JSON.stringify(user)})`);
    await firefox.goto('about:blank');
    await firefox.goto(`${stack.url}/#${room}`);
  };

  beforeAll(async () => {
    [stack, firefox] = await Promise.all([startStack(), startFirefox(program ?? '')]);
  }, 120_000);
  afterAll(async () => {
    await firefox.close();
    await stack.stop();
  }, 120_000);

  it('store a sentence, find it, correct it and take that back', async () => {
    await open('fia', 'home');
    await firefox.fill('Remember something', 'I keep a goose in Oslo.');
    await firefox.click(button('Save'));
    await firefox.see('Remembered: Note');
    await firefox.click('//nav//a[normalize-space()="Memories"]');
    await firefox.see('Memories: 1');
    await firefox.fill('Search', 'Where is the goose?');
    await firefox.click(button('Search'));
    await firefox.click(memory('goose'));
    await firefox.fill('Wrong? Say what is right.', 'I keep a goose in Bergen.');
    await firefox.click(`//*[@role="dialog"]${button('Save')}`);
    await firefox.see('Changed. This can be undone for a minute.');
    await firefox.see('I keep a goose in Bergen.');
    await firefox.click(button('Undo'));
    await firefox.see('I keep a goose in Oslo.');
  }, 180_000);

  it('delete a memory, take that back, and tell an assistant of it', async () => {
    await stack.call('remember', { user_id: 'fay', text: 'I keep bees behind the chapel.', kind: 'note' });
    await open('fay', 'memories');
    await firefox.click(memory('bees'));
    await firefox.click(`//*[@role="dialog"]${button('Delete')}`);
    await firefox.see('1 deleted. This can be undone for a minute.');
    await firefox.click(button('Undo'));
    await firefox.see('I keep bees behind the chapel.');
    await firefox.click('//nav//a[normalize-space()="Ask"]');
    await firefox.fill('Your question', 'Where are the bees?');
    await firefox.click(button('Look'));
    await firefox.see('found for this question');
    expect(JSON.stringify(await stack.call('list_memories', { user_id: 'fay' }))).toContain('bees');
  }, 180_000);
});
