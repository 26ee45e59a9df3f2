import { readFile } from 'node:fs/promises';
import { wordsOf } from '@contextloom/languages';
import { expect, it } from '@jest/globals';

it('docs/LLM_PROMPTS.md shows the guide as the server gives it, in every language', async () => {
  const text = await readFile(new URL('../../../docs/LLM_PROMPTS.md', import.meta.url), 'utf8');
  const shown = [...text.matchAll(/^````md\n(.*?)\n````$/gms)].map(([, block]) => block);
  expect(shown).toEqual((['en', 'zh'] as const).map((language) => wordsOf(language).guides.projectMemory.trimEnd()));
});
