import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { promptLanguages, promptTexts } from '../src/prompts/texts.ts';

const page = new URL('../../../docs/LLM_PROMPTS.md', import.meta.url);

describe('docs/LLM_PROMPTS.md', () => {
  it('shows the prompt as the server gives it, in every language', async () => {
    const text = await readFile(page, 'utf8');
    const shown = [...text.matchAll(/^```markdown\n(.*?)\n```$/gms)].map(([, block]) => block);
    expect(shown).toEqual(promptLanguages.map((language) => promptTexts[language]));
  });
});
