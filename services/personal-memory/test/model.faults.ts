import { toRounds } from '@contextloom/testing/rounds';
import { it } from '@jest/globals';
import { checkModel } from './model.ts';
import { schemes } from './support/memory.ts';

it.each(schemes)('the %s store agrees with plain arrays over many sequences of calls by two users', (scheme) =>
  checkModel(scheme, toRounds(20, 200)),
);
