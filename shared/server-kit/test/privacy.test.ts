import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadMask } from '../src/privacy/privacy.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-privacy-'));
  file = join(folder, 'privacy.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function load(masks: readonly object[], server = 'knowledge-base') {
  await writeFile(file, JSON.stringify({ masks }));
  const mask = await loadMask({ privacyFile: file }, server);
  return (args: unknown, hasUsers = true, opaque: readonly string[] = []) => mask?.(args, { hasUsers, opaque });
}

const hush = { expressions: ['hush'] };
const said = { content: 'hush', metadata: { user_id: 'ann', transcript: 'chats/2024' } };
const masked = { ...said, content: '[masked: expression]' };

describe('rules of masks', () => {
  it.each([
    ['without users', {}, masked],
    ['of the user', { users: ['ben', 'ann'] }, masked],
    ['of another user', { users: ['ben'] }, said],
    ['of the conversation', { sources: ['chats/*'] }, masked],
    ['of another conversation', { sources: ['chats'] }, said],
    ['of this server', { sources: ['knowledge-base'] }, masked],
    ['of another server', { sources: ['project-memory'] }, said],
  ])('count where they are %s', async (_which, rule, expected) => {
    const mask = await load([{ ...hush, ...rule }]);
    expect(mask(said)).toEqual(expected);
    expect(mask({ documents: [said, { content: 'plain' }] })).toEqual({ documents: [expected, { content: 'plain' }] });
  });

  it('are those of every user where a server is for one that no call names, and of none for the data of nobody', async () => {
    const mask = await load([{ ...hush, users: ['ann'] }]);
    expect(mask({ content: 'hush' }, false)).toEqual({ content: '[masked: expression]' });
    expect(mask({ content: 'hush' }, true)).toEqual({ content: 'hush' });
  });

  it('leave what things are found by, and mask tags, keys, names of fields and numbers', async () => {
    const mask = await load([{ expressions: ['hush'], kinds: ['card number'] }]);
    const address = { doc_id: 'hush', memory_id: 'hush', user_id: 'hush', memory_type: 'hush', occurred_at: 'hush' };
    expect(mask(address)).toEqual(address);
    const metadata = { 'my hush': 1, card: 4_111_111_111_111_111, small: 41 };
    expect(mask({ tags: ['hush'], keys: ['hush'], metadata })).toEqual({
      tags: ['[masked: expression]'],
      keys: ['[masked: expression]'],
      metadata: { 'my [masked: expression]': 1, card: '[masked: card number]', small: 41 },
    });
    expect(mask({ data: 'hush' }, true, ['data'])).toEqual({ data: 'hush' });
  });

  it('leave JSON and lines of it what they are', async () => {
    const mask = await load([{ expressions: ['hush.*'] }]);
    const line = JSON.stringify({ id: 'hush', value: 'a "hush"' });
    const kept = JSON.stringify({ id: 'hush', value: 'a "[masked: expression]' });
    expect(mask({ lines: `${line}\n{"a":1}\n` })).toEqual({ lines: `${kept}\n{"a":1}\n` });
    expect(mask({ data: `[${line}]` })).toEqual({ data: `[${kept}]` });
    expect(mask({ conversation_history: 'Ann: hush\nBen: no' })).toEqual({
      conversation_history: 'Ann: [masked: expression]\nBen: no',
    });
  });
});

describe('a file of masks', () => {
  it('is none where it is not named, or has no rule', async () => {
    await expect(loadMask({}, 'persona')).resolves.toBeUndefined();
    expect((await load([]))(said)).toBeUndefined();
  });

  it.each([
    ['{', /PRIVACY_FILE must be a JSON file that can be read/],
    ['{"masks":[{}]}', /masks\[0\] must have kinds or expressions/],
    ['{"masks":[{"kinds":["cards"]}]}', /masks\[0\]\.kinds\[0\] must be one of .*card number/],
    ['{"masks":[{"expressions":["("]}]}', /masks\[0\]\.expressions\[0\] must be an expression in RE2's syntax/],
    ['{"mask":[]}', /mask/],
  ])('is refused by name: %s', async (text, message) => {
    await writeFile(file, text);
    await expect(loadMask({ privacyFile: file }, 'persona')).rejects.toThrow(message);
  });
});
