import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_FILE_BYTES, readText } from '../src/batch/read-text.ts';
import { createFolder } from './support/knowledge-base.ts';

let folder = '';
let remove = async (): Promise<void> => undefined;
beforeAll(async () => {
  ({ path: folder, remove } = await createFolder());
});
afterAll(() => remove());

async function write(bytes: Uint8Array | string): Promise<string> {
  const file = join(folder, 'file.txt');
  await writeFile(file, bytes);
  return file;
}

/** `小明：你好` in the encodings of Chinese consoles, and words of others. */
const GBK = Uint8Array.of(0xd0, 0xa1, 0xc3, 0xf7, 0xa3, 0xba, 0xc4, 0xe3, 0xba, 0xc3);
const BIG5 = Uint8Array.of(0xa4, 0x70, 0xa9, 0xfa, 0xa1, 0x47, 0xa7, 0x41, 0xa6, 0x6e);
const LATIN1 = Buffer.from('Zoé: ça va?', 'latin1');
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00);

describe('a file', () => {
  it.each([
    ['UTF-8', 'Zoé: 你好 👋'],
    ['UTF-8 with a byte order mark', '\uFEFFZoé: 你好 👋'],
  ])('of %s is read', async (_name, text) => {
    expect(await readText(await write(text))).toBe('Zoé: 你好 👋');
  });

  it.each([
    ['GBK', GBK, 'line 1 is not UTF-8 text; save the file as UTF-8'],
    ['Big5', BIG5, 'line 1 is not UTF-8 text'],
    ['Latin-1', LATIN1, 'line 1 is not UTF-8 text'],
    ['binary data', PNG, 'line 1 is not UTF-8 text'],
    [
      'UTF-8 and GBK',
      Buffer.concat([Buffer.from('小明：早\n小李：好\n'), GBK, Buffer.from('\nAnna: hi')]),
      'line 3 is not',
    ],
    ['UTF-16', Buffer.from('\uFEFFAnna: hi', 'utf16le'), 'it is UTF-16 text; save it as UTF-8'],
    ['UTF-16, the other way round', Buffer.from('\uFEFFAnna: hi', 'utf16le').swap16(), 'it is UTF-16 text'],
  ])('of %s is refused', async (_name, bytes, problem) => {
    await expect(readText(await write(bytes))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(problem),
    });
  });

  it('over the limit is refused before it is read', async () => {
    const file = await write('');
    await truncate(file, 200 * 1024 * 1024);
    await expect(readText(file)).rejects.toMatchObject({
      code: 'too_large',
      message: `it has 200.0 MB, more than the ${MAX_FILE_BYTES / 1024 / 1024} MB that a file may have; split it`,
    });
  });

  it('that is not there, or a folder, cannot be read', async () => {
    await expect(readText(join(folder, 'absent'))).rejects.toMatchObject({ message: 'the file cannot be read' });
    await expect(readText(folder)).rejects.toMatchObject({ message: 'the file cannot be read' });
  });
});
