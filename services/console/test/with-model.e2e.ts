import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openPage, startBrowser, type WatchedPage } from './support/browser.ts';
import { type RunningStack, startStack } from './support/stack.ts';

/** Draws what the user says as facts, and takes none of them for another. */
function answer(asked: string): string {
  const memories = [...asked.matchAll(/^\[(\d+)\] (?!assistant)[^:]+: (.*)$/gmu)].map(([, label = '', content]) => ({
    content,
    importance: 8,
    memory_type: 'knowledge',
    emotional_valence: null,
    tags: [],
    occurred_at: null,
    evidence: [label],
  }));
  return JSON.stringify(memories.length > 0 ? { memories } : { decisions: [] });
}

describeInBrowser('the console with a model, and personal memory for one user', () => {
  let model: ScriptedOpenAi;
  let stack: RunningStack;
  let browser: Browser;
  let opened: WatchedPage | undefined;

  beforeAll(async () => {
    model = await startScriptedOpenAi({
      chat: ({ body }) => {
        const asked = String(body.messages?.at(-1)?.content);
        if (asked.includes('zeppelin')) return { kind: 'error', status: 401, message: 'wrong key' };
        return { kind: 'answer', text: answer(asked) };
      },
    });
    const endpoint = { LLM_MODEL: 'scripted', LLM_BASE_URL: model.url, LLM_API_KEY: model.apiKey };
    const processorEnv = { ...endpoint, LLM_BUDGET_TOKENS: '900000' };
    const starting = startStack({ personalArgs: ['--user-id', 'ann'], processorEnv });
    [stack, browser] = await Promise.all([starting, startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
    await model.close();
  });
  afterEach(async () => {
    const { complaints = [] } = opened ?? {};
    await opened?.close();
    opened = undefined;
    expect(complaints).toEqual([]);
  });

  async function open(user: string, room: string): Promise<Page> {
    opened = await openPage(browser);
    const { page } = opened;
    await page.addInitScript({ content: `localStorage.setItem('contextloom.users', ${JSON.stringify(user)})` });
    await page.goto(`${stack.url}/#${room}`);
    return page;
  }

  it('shows which fact repeats another, and takes that back', async () => {
    for (const opening of ['Hello.', 'Good morning.']) {
      const turns = [
        { role: 'assistant', content: opening },
        { role: 'user', content: 'Bea lives in Bonn with a cat.' },
      ];
      await stack.call('store_conversation_memory', { user_id: 'bea', conversation_history: turns });
    }
    const page = await open('bea', 'decisions');
    const row = page.getByRole('row', { name: /Bea lives in Bonn with a cat\. same Bea lives in Bonn/ });
    await row.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('undone').waitFor();
    const { decisions } = (await stack.call('list_decisions', { user_id: 'bea' })) as { readonly decisions: object[] };
    expect(decisions).toMatchObject([{ relation: 'same', undone_at: expect.any(String) }]);
  });

  it('shows what of the budget of the day is used', async () => {
    const turns = [{ role: 'user', content: 'I moved to Leith with a boat.' }];
    await stack.call('store_conversation_memory', { user_id: 'dot', conversation_history: turns });
    const page = await open('dot', 'servers');
    const row = page.getByRole('row', { name: 'memory-processor' });
    await row.getByText(/^[1-9]\d* of 900000 tokens of the model today$/).waitFor();
  });

  it('says why an import failed', async () => {
    const page = await open('cid', 'conversations');
    const buffer = Buffer.from('[2024-03-05]\nCid: I fly a zeppelin over Leith.\nMia: Where to?\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'chat.txt', mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Why 1 failed').click();
    expect(await page.locator('details p').allTextContents()).toEqual([
      'I fly a zeppelin over Leith.: the model could not be asked for 1 of its pieces',
    ]);
  });

  it('says why there are no people and things of a user whom their server does not serve', async () => {
    const page = await open('bea', 'things');
    await page.getByText('are kept for another person alone').waitFor();
    expect(await page.getByText('That did not work').count()).toBe(0);
  });
});
