import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const { name, description, version, packages } = JSON.parse(read('server.json'));

it('tells the registry of the version that is published', () => {
  const { version: published } = JSON.parse(read('package.json'));
  expect([version, ...packages.map((one: { version: string }) => one.version)]).toEqual([published, published]);
});

it('keeps to what the schema of the registry allows', () => {
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(description.length).toBeLessThanOrEqual(100);
});

it('asks for settings that there are', () => {
  const known = read('.env.example');
  const names = packages.flatMap((one: { environmentVariables: readonly { name: string }[] }) =>
    one.environmentVariables.map((variable) => variable.name),
  );
  expect(names.filter((one: string) => !new RegExp(`^#? ?${one}=`, 'm').test(known))).toEqual([]);
});
