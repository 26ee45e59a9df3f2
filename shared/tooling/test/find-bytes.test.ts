import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const SECRET = 'Zanzibar 桑给巴尔?>';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextloom-bytes-'));
  mkdirSync(join(folder, 'deep'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const encodingsOf = (bytes: Buffer | string): readonly string[] => {
  writeFileSync(join(folder, 'deep', 'file'), bytes);
  return findBytes(folder, ['other', SECRET]).map(({ text, encoding }) => {
    expect(text).toBe(SECRET);
    return encoding;
  });
};

it('finds a text in the middle of a file in each encoding', () => {
  const around = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([1, 0, 255]), bytes, Buffer.from([0, 7])]);
  expect(encodingsOf(around(Buffer.from(SECRET)))).toEqual(['UTF-8']);
  expect(encodingsOf(around(Buffer.from(SECRET, 'utf16le')))).toEqual(['UTF-16LE']);
  expect(encodingsOf(around(Buffer.from(SECRET, 'utf16le').swap16()))).toEqual(['UTF-16BE']);
  expect(encodingsOf(String.raw`"Zanzibar \u6851\u7ed9\u5df4\u5c14?>"`)).toEqual(['JSON escapes']);
});

it('finds a text inside of a longer one that is base64, at every offset', () => {
  for (const before of ['', 'a', 'ab', 'abc', 'abcd']) {
    const bytes = Buffer.from(`${before}${SECRET} and more`);
    expect(encodingsOf(bytes.toString('base64'))).toContain('base64');
    expect(encodingsOf(bytes.toString('base64url'))).toContain('base64url');
  }
});

it('finds nothing where the text is not, and a text in the name of a file', () => {
  expect(encodingsOf('Zanzibar')).toEqual([]);
  writeFileSync(join(folder, 'deep', 'of ann'), '');
  expect(findBytes(folder, ['ann'])).toEqual([
    { file: join(folder, 'deep', 'of ann'), text: 'ann', encoding: 'its name' },
  ]);
});
