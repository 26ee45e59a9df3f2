import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The packages outside of `shared/languages` whose code has words of a language in Chinese or Japanese signs, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'services/agent-memory/src/domain/identity': 'what a file says for no',
  'services/cli/src': 'what a person may type or paste',
  'services/console/src': 'the texts of the page, in its own i18n',
  'services/context-aggregator/src/domain/memories': 'who is meant by `you` and `user`',
  'services/context-aggregator/src/domain/stores': 'names of attributes that old stores have',
  'services/context-aggregator/src/prompts': 'the title of a prompt',
  'services/memory-processor/src/domain/decisions': 'kin, which is grammar',
  'services/memory-processor/src/domain/grounding': 'readers of numbers, times and names, which are grammar',
  'services/memory-processor/src/domain/notes': 'what begins a sentence of work',
  'services/memory-processor/src/extraction': 'ids that are no names',
  'services/memory-processor/src/imports': 'what a person may answer',
  'services/personal-memory/src': 'keys and types that old stores have',
  'services/typed-memory/src/domain': 'labels of the vault and of old stores',
  'shared/access/src/authorization': 'the texts of one page',
  'shared/contracts/src': 'examples',
  'shared/llm/src/openai': 'what endpoints answer',
  'shared/retrieval/src': 'readers of times, attributes and states, and the thesaurus',
  'shared/safety/src': 'orders and secrets in any language',
  'shared/testing/src': 'what tests make long texts of',
  'shared/transcripts/src': 'what programs write into their exports',
};

const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\//gu, '').replace(/^\s*\/\/.*$/gmu, '');

function filesWithSigns(): readonly string[] {
  return ['shared', 'services'].flatMap((kind) =>
    readdirSync(join(root, kind)).flatMap((name) => {
      const folder = join(root, kind, name, 'src');
      const files = ((): readonly string[] => {
        try {
          return readdirSync(folder, { recursive: true, encoding: 'utf8' });
        } catch {
          return [];
        }
      })();
      return files
        .filter((file) => /\.tsx?$/u.test(file))
        .map((file) => join(folder, file))
        .filter((file) => SIGNS.test(withoutComments(readFileSync(file, 'utf8'))))
        .map((file) => relative(root, file).split(sep).join('/'));
    }),
  );
}

it('keeps the words of languages in their folders, but for packages that say why', () => {
  const packages = ['shared/languages', ...Object.keys(EXCEPTIONS)];
  const files = filesWithSigns();
  expect(files.filter((file) => !packages.some((folder) => file.startsWith(`${folder}/`)))).toEqual([]);
  // What says why has to be so.
  expect(packages.filter((folder) => !files.some((file) => file.startsWith(`${folder}/`)))).toEqual([]);
});
