import { describe, expect, it } from '@jest/globals';
import { checkGrammar } from '../grammar-property.ts';

describe('the grammar of entries', () => {
  it('loses nothing of a file, whatever stands in it and is written to it', () => {
    checkGrammar(50);
    expect.hasAssertions();
  });
});
