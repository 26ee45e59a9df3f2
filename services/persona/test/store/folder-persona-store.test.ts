import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anyCharacter } from '@contextloom/testing/any-character';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFolderPersonaStore } from '../../src/store/folder-persona-store.ts';
import { createPersonaFolder, type PersonaFolder, toPersonaFiles } from '../support/persona-folder.ts';

let made: PersonaFolder | undefined;
afterEach(async () => {
  await made?.remove();
  made = undefined;
});

async function storeOf(files: Readonly<Record<string, string | Uint8Array>>) {
  made = await createPersonaFolder(files);
  return { store: createFolderPersonaStore({ folder: made.folder }), folder: made.folder };
}

describe('a folder of personas', () => {
  it('lists the personas there are, sorted, and nothing else', async () => {
    const { store } = await storeOf({
      ...toPersonaFiles('zoe'),
      ...toPersonaFiles('Abe-2'),
      'README.md': 'not a persona',
      '.git/persona.md': 'x',
      'two words/persona.md': 'x',
    });
    expect(await store.names()).toEqual(['Abe-2', 'zoe']);
  });

  it('loads all files of a persona', async () => {
    const book = JSON.stringify([{ keys: ['a'], comment: 'A', chunks: [{ text: 'text' }] }]);
    const { store } = await storeOf(
      toPersonaFiles('testa', { 'worldbook/b.json': book, 'worldbook/a.json': book, 'worldbook/notes.txt': 'no' }),
    );
    const persona = await store.load('testa');
    expect(persona).toMatchObject({
      name: 'testa',
      displayName: 'Testa',
      language: 'zh',
      safetyText: '善待 {{user}}。\n',
    });
    expect(persona.worldBook.map(({ id }) => id)).toEqual(['a-1', 'b-1']);
  });

  it('takes a folder with nothing but persona.md for a persona', async () => {
    const { store } = await storeOf({ 'old_tom/persona.md': 'Tom, a cat.', 'mao/persona.md': '一只猫。' });
    expect(await store.load('old_tom')).toMatchObject({ displayName: 'Old_tom', language: 'en', safetyText: '' });
    expect(await store.load('mao')).toMatchObject({ displayName: 'Mao', language: 'zh', worldBook: [] });
  });

  it('renders SPIRIT.md, and prefers persona.md when both are there', async () => {
    const spirit = '# AI 人格设定\n\n## 角色定位\n店主\n';
    const { store } = await storeOf({
      'one/SPIRIT.md': spirit,
      'front/SPIRIT.md': '---\nrole: 鞋匠\n---\n',
      'both/SPIRIT.md': spirit,
      'both/persona.md': '# 我\n',
    });
    expect((await store.load('one')).personaText).toBe('## 角色定位\n店主\n');
    expect(await store.load('front')).toMatchObject({ language: 'zh', personaText: '## 角色定位\n\n鞋匠\n' });
    expect((await store.load('both')).personaText).toBe('# 我\n');
  });

  it('strips a byte order mark and keeps CRLF', async () => {
    const { store } = await storeOf(
      toPersonaFiles('testa', { 'persona.md': '\uFEFF一\r\n二\r\n', 'persona.json': '\uFEFF{"display_name": "T"}' }),
    );
    expect(await store.load('testa')).toMatchObject({ personaText: '一\r\n二\r\n', displayName: 'T' });
  });

  it('names an unknown persona and those there are', async () => {
    const { store } = await storeOf({ ...toPersonaFiles('zoe'), ...toPersonaFiles('abe') });
    await expect(store.load('nobody')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^no persona "nobody" in .*; there are: abe, zoe$/),
    });
    await expect(store.load('Zoe')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says so when the folder does not exist', async () => {
    const store = createFolderPersonaStore({ folder: join('nowhere', 'at', 'all') });
    await expect(store.load('uozumi')).rejects.toThrow('the personas folder');
  });
});

describe('the borders of the folder', () => {
  it.each(['../outside', '..', '.', '', 'a/b', 'a\\b', '/etc', 'a\0b', 'a b', 'ａ', 'x'.repeat(65)])(
    'are kept against the name %j',
    async (name) => {
      const { store, folder } = await storeOf(toPersonaFiles('testa'));
      await mkdir(join(folder, '..', 'outside'));
      await writeFile(join(folder, '..', 'outside', 'persona.md'), 'secret');
      await expect(store.load(name)).rejects.toMatchObject({ code: 'invalid', field: 'persona' });
    },
  );

  it('are kept against any text as a name: only names in the listing ever load', async () => {
    const { store } = await storeOf(toPersonaFiles('testa'));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (name) => {
        fc.pre(name !== 'testa');
        await expect(store.load(name)).rejects.toMatchObject({ name: 'ContextloomError' });
      }),
    );
  });

  it.each([
    ['a persona folder', 'linked', 'linked/persona.md'],
    ['a file', 'testa/safety.md', 'testa/safety.md'],
    ['the world book', 'testa/worldbook', 'testa/worldbook/a.json'],
  ])('are kept against a link out of it in place of %s', async (_what, link, refused) => {
    const { 'testa/safety.md': _safety, ...files } = toPersonaFiles('testa');
    const { store, folder } = await storeOf(files);
    const outside = join(folder, '..', 'outside');
    await mkdir(outside);
    for (const file of ['persona.md', 'a.json']) await writeFile(join(outside, file), '{}');
    await symlink(link.endsWith('.md') ? join(outside, 'persona.md') : outside, join(folder, link));
    const name = link.split('/')[0] ?? '';
    await expect(store.load(name)).rejects.toThrow(`${refused} is a link out of the personas folder`);
  });

  it('leave links inside it alone: personas may share their safety text', async () => {
    const { store, folder } = await storeOf({ 'a/persona.md': '甲', 'shared/safety.md': '善待。' });
    await symlink(join(folder, 'shared', 'safety.md'), join(folder, 'a', 'safety.md'));
    expect((await store.load('a')).safetyText).toBe('善待。');
  });

  it('may be reached through a link themselves', async () => {
    const { folder } = await storeOf(toPersonaFiles('testa'));
    const link = join(folder, '..', 'link');
    await symlink(folder, link);
    expect((await createFolderPersonaStore({ folder: link }).load('testa')).displayName).toBe('Testa');
  });
});

describe('a broken persona is refused by a line that names file and problem', () => {
  it.each<[string, Record<string, string | Uint8Array>, string]>([
    [
      'broken JSON',
      { 'persona.json': '{"display_name": }' },
      'testa/persona.json cannot be read as JSON: Unexpected token',
    ],
    [
      'another language',
      { 'persona.json': '{"language": "fr"}' },
      'testa/persona.json.language must be one of "zh", "en"',
    ],
    ['an empty name', { 'persona.json': '{"display_name": " "}' }, 'testa/persona.json.display_name must not be blank'],
    ['a name of two lines', { 'persona.json': '{"display_name": "a\\nb"}' }, 'display_name must be one line'],
    ['an empty text', { 'persona.md': ' \n' }, 'testa/persona.md is empty'],
    [
      'a text that is not UTF-8',
      { 'safety.md': new Uint8Array([0xff, 0xfe, 0x41]) },
      'testa/safety.md is not UTF-8 text',
    ],
    ['a broken world book', { 'worldbook/a.json': '[{]' }, 'testa/worldbook/a.json cannot be read as JSON: '],
    [
      'a folder for a file',
      { 'persona.md/x': 'x', 'persona.json': '{}' },
      'testa/persona.md is a folder, a pipe or a device, not a file',
    ],
    ['a file for a folder', { worldbook: 'x' }, 'testa/worldbook cannot be read (ENOTDIR)'],
  ])('%s', async (_fault, files, message) => {
    const complete = toPersonaFiles('testa', files);
    if ('persona.md/x' in files) delete complete['testa/persona.md'];
    const { store } = await storeOf(complete);
    await expect(store.load('testa')).rejects.toThrow(message);
  });

  it('no text at all', async () => {
    const { store } = await storeOf({ 'testa/safety.md': 'x' });
    await expect(store.load('testa')).rejects.toThrow('testa has neither persona.md nor SPIRIT.md');
  });
});
