import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, useConsole } from './support/suite.ts';

/** What Chromium says against installing a page as an application; the contexts of tests are private windows. */
async function findObstacles(page: Page): Promise<readonly string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  return installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito');
}

describeInBrowser('the page as an application', () => {
  const test = useConsole();

  it('can be installed, with a name and icons', async () => {
    const page = await test.open('ines', 'home');
    await page.locator('main h1').waitFor();
    expect(await findObstacles(page)).toEqual([]);
    const devtools = await page.context().newCDPSession(page);
    const { data = '{}', errors } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const { name, icons } = JSON.parse(data) as {
      readonly name: string;
      readonly icons: readonly { readonly src: string }[];
    };
    expect(name).toBe('Contextloom');
    const answers = await Promise.all(icons.map(({ src }) => fetch(`${test.url()}${src}`)));
    expect(answers.map(({ ok, headers }) => ok && headers.get('content-type')?.startsWith('image/'))).not.toContain(
      false,
    );
  });

  it('keeps nothing that a key which is revoked could still read', async () => {
    await test.call('remember', { user_id: 'ines', text: 'I carve spoons at night.', kind: 'note' });
    const page = await test.open('ines', 'memories');
    const answers: string[] = [];
    page.on('response', (response) => {
      const path = new URL(response.url()).pathname;
      const kept = response.headers()['cache-control'] ?? '';
      // A browser keeps no answer to a POST.
      if (response.request().method() === 'GET' && !path.startsWith('/assets/') && kept !== 'no-store')
        answers.push(path);
    });
    await page.reload();
    await page.getByText('I carve spoons at night.').waitFor();
    expect(answers).toEqual([]);
    const kept = `Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations(), indexedDB.databases()])
      .then((found) => found.map(({ length }) => length))`;
    expect(await page.evaluate(kept)).toEqual([0, 0, 0]);
  });
});
