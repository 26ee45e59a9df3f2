import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';

const dist = new URL('../dist/', import.meta.url);

/** Every module that a declaration file imports, its own ones followed. */
async function listImports(file: URL, seen = new Map<string, string>()): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
    const next = new URL(name.replace(/\.(?:js|ts)$/, '.d.ts'), file);
    if (seen.has(name.startsWith('.') ? next.href : name)) continue;
    seen.set(name.startsWith('.') ? next.href : name, name);
    if (name.startsWith('.')) await listImports(next, seen);
  }
  return [...seen.values()].filter((name) => !name.startsWith('.'));
}

it.each([
  ['index.d.ts', []],
  ['browser.d.ts', []],
  ['openai/index.d.ts', ['openai']],
  ['ai-sdk/index.d.ts', ['ai']],
  ['langchain/index.d.ts', ['tools', 'messages', 'runnables'].map((name) => `@langchain/core/${name}`)],
])('%s names no package but the one that it adapts to: no zod, no SDK of MCP', async (file, others) => {
  const imported = await listImports(new URL(file, dist));
  expect(imported.filter((name) => name !== '@contextloom/contracts/errors')).toEqual(others);
  expect(await readFile(new URL('../../contracts/dist/errors.d.ts', import.meta.url), 'utf8')).not.toContain('import');
});
