import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { createLexicalEmbedder } from '../src/index.ts';

describe('createLexicalEmbedder', () => {
  it('gives the same vectors in another process', async () => {
    const text = 'The café on Łódź street 喜欢猫';
    const script = `
      import { createLexicalEmbedder } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
      const [vector] = await createLexicalEmbedder().embed([${JSON.stringify(text)}]);
      process.stdout.write(JSON.stringify([...vector]));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
    const [vector] = await createLexicalEmbedder().embed([text]);
    expect(JSON.parse(printed)).toEqual([...(vector ?? [])]);
  });
});
