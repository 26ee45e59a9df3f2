import { describe, it } from '@jest/globals';
import { killBetweenFileAndIndex } from './killing.ts';

describe('a server that is killed when a file is written and the index is not', () => {
  it.each(['add', 'delete'] as const)('is repaired by the next start: %s', killBetweenFileAndIndex);
});
