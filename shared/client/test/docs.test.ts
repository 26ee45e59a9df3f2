import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';

const root = new URL('../../../', import.meta.url);

it('shows in docs/client.md the very loop that the tests run, in 30 lines', async () => {
  const page = await readFile(new URL('docs/client.md', root), 'utf8');
  const example = await readFile(new URL('shared/client/examples/chat-loop.mjs', root), 'utf8');
  expect(page).toContain(`\`\`\`js\n${example}\`\`\``);
  expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
});
