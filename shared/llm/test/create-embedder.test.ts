import { describe, expect, it } from '@jest/globals';
import { createEmbedder } from '../src/index.ts';

describe('createEmbedder', () => {
  it('builds the embedder that the provider names', () => {
    expect(createEmbedder({ provider: 'lexical', dimensions: 16 }).identity).toEqual({
      provider: 'lexical',
      model: 'lexical-v1',
      dimensions: 16,
    });
  });

  it.each(['', 'openai2', 'toString', '__proto__'])(
    'refuses the unknown provider %j and names what is allowed',
    (provider) => {
      expect(() => createEmbedder({ provider })).toThrow(
        expect.objectContaining({ code: 'invalid', message: 'EMBEDDING_PROVIDER must be one of: lexical' }),
      );
    },
  );
});
