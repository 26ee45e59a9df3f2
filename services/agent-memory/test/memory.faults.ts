import { expect, it } from '@jest/globals';
import { checkEditing } from './editing.ts';
import { checkGrammar } from './grammar-property.ts';

it('the grammar loses nothing of any file', () => {
  checkGrammar(5_000);
  expect.hasAssertions();
});

it('a person and the agent lose nothing of each other in 1,000 saves', () => checkEditing(1_000));
