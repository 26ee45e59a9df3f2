import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const sources = ['services', 'shared'].flatMap((place) =>
  readdirSync(join(root, place)).flatMap((name) => {
    const folder = join(root, place, name, 'src');
    return listFiles(folder).filter((file) => file.endsWith('.ts'));
  }),
);

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  } catch (error) {
    if (Object(error).code === 'ENOENT') return [];
    throw error;
  }
}

/** The variables of all settings, which the sources hold as data: `env: ['KB_URL']`. */
const settings = new Set(
  sources
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\benv: \[([^\]]*)\]/g)])
    .flatMap(([, names = '']) => [...names.matchAll(/'([A-Z][A-Z0-9_]*)'/g)].map(([, name = '']) => name)),
);
const example = read('.env.example');
/** They name a file of settings, which is read before the settings are. */
const BEFORE_SETTINGS = ['PERSONAL_MEMORY_CONFIG', 'TYPED_MEMORY_CONFIG'];

it('names every variable that a setting reads', () => {
  expect(settings.size).toBeGreaterThan(80);
  const named = new Set(example.match(/\b[A-Z][A-Z0-9_]*\b/g));
  expect([...settings].filter((name) => !named.has(name))).toEqual([]);
});

it('names no variable that nothing reads', () => {
  const lines = [...example.matchAll(/^# ?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
  const containers = read('docker-compose.yml');
  const isRead = (name: string): boolean =>
    settings.has(name) || containers.includes(`\${${name}:`) || BEFORE_SETTINGS.includes(name);
  expect(lines.length).toBeGreaterThan(80);
  expect(lines.filter((name) => !isRead(name))).toEqual([]);
});
