import { readFile } from 'node:fs/promises';
import { LANGUAGES } from '@contextloom/contracts';
import { wordsOf } from '@contextloom/languages';
import { describe, expect, it } from '@jest/globals';

const page = new URL('../../../docs/LLM_PROMPTS.md', import.meta.url);

describe('docs/LLM_PROMPTS.md', () => {
  it('shows the prompt as the server gives it, in every language', async () => {
    const text = await readFile(page, 'utf8');
    const shown = [...text.matchAll(/^```markdown\n(.*?)\n```$/gms)].map(([, block]) => block);
    expect(shown).toEqual(LANGUAGES.map((language) => wordsOf(language).guides.personalMemory));
  });
});
