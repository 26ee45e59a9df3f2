import { describe, expect, it } from '@jest/globals';
import { createEmbedder } from '../src/index.ts';

describe('createEmbedder', () => {
  it('builds the embedder that the provider names', async () => {
    expect((await createEmbedder({ provider: 'lexical', dimensions: 16 })).identity).toEqual({
      provider: 'lexical',
      model: 'lexical-v2',
      dimensions: 16,
    });
  });

  it.each(['', 'Open AI', '../evil', '__proto__', 'openai2'])(
    'refuses the unknown provider %j and names what is allowed',
    async (provider) => {
      await expect(createEmbedder({ provider })).rejects.toMatchObject({
        code: 'invalid',
        field: 'EMBEDDING_PROVIDER',
        message: expect.stringContaining('EMBEDDING_PROVIDER must be lexical, local, ollama, openai, or the name of'),
      });
    },
  );
});
