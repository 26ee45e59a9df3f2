import { afterEach, describe, expect, it } from '@jest/globals';
import { BUILT_IN_PERSONAS } from '../../src/config.ts';
import { createFolderPersonaStore } from '../../src/store/folder-persona-store.ts';
import { createLayeredPersonaStore } from '../../src/store/layered-persona-store.ts';
import { createPersonaFolder, type PersonaFolder, toPersonaFiles } from '../support/persona-folder.ts';

let own: PersonaFolder | undefined;
afterEach(async () => {
  await own?.remove();
  own = undefined;
});

async function layered(files: Readonly<Record<string, string>>) {
  own = await createPersonaFolder(files);
  const folders = [own.folder, BUILT_IN_PERSONAS];
  return createLayeredPersonaStore(folders.map((folder) => createFolderPersonaStore({ folder })));
}

describe('personas of your own', () => {
  it('stand next to those that come with the service', async () => {
    const store = await layered({ 'nora/persona.md': 'You are Nora, who mends nets.' });
    expect(await store.names()).toEqual(['marlow', 'nora', 'uozumi']);
    expect((await store.load('nora')).personaText).toContain('nets');
    expect((await store.load('marlow')).personaText).toContain('repair');
  });

  it('take the place of one of the same name, whole', async () => {
    const store = await layered(toPersonaFiles('marlow'));
    expect(await store.names()).toEqual(['marlow', 'uozumi']);
    expect(await store.load('marlow')).toMatchObject({ safetyText: '善待 {{user}}。\n', worldBook: [] });
  });

  it('are all named where one is not there', async () => {
    const store = await layered({ 'nora/persona.md': 'x' });
    await expect(store.load('ishmael')).rejects.toMatchObject({
      code: 'not_found',
      message: 'no persona "ishmael"; there are: marlow, nora, uozumi',
    });
    await expect(store.load('../etc')).rejects.toMatchObject({ code: 'invalid' });
  });
});
