import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { openPath, readPath, toTurns } from '../support/importing.ts';
import { createFolder } from '../support/knowledge-base.ts';

let folder = '';
let remove = async (): Promise<void> => undefined;

beforeAll(async () => {
  const created = await createFolder();
  [folder, remove] = [created.path, created.remove];
});
afterAll(() => remove());

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

const chat = '2024-03-01 10:20:31 小明\n你好，我对花生过敏\n\n2024-03-01 10:20:40 李四\n记住了\n';
const said = ['小明: 你好，我对花生过敏', '李四: 记住了'];
const whatsapp = '25/12/2023, 14:03 - Ann: hi\n25/12/2023, 14:04 - Ben: hello\n';

describe('encodings', () => {
  it.each([
    ['utf8', {}],
    ['utf8', { addBOM: true }],
    ['utf16-le', { addBOM: true }],
    ['utf16-le', { addBOM: false }],
    ['utf16-be', { addBOM: true }],
    ['gbk', {}],
    ['gb18030', {}],
  ])('%s %p is read as what it says', async (encoding, options) => {
    const file = await write(`chat-${encoding}.txt`, iconv.encode(chat, encoding, options));
    expect(toTurns((await readPath(file)).found)).toEqual(said);
  });

  it('of a few words of GBK is no other one', async () => {
    const file = await write('short.txt', iconv.encode('小明: 你好\n李四: 在\n', 'gbk'));
    expect(toTurns((await readPath(file)).found)).toEqual(['小明: 你好', '李四: 在']);
  });

  it('mixed in one file are refused, with the lines', async () => {
    const file = await write(
      'mixed.txt',
      Buffer.concat([iconv.encode(chat, 'gbk'), Buffer.from('2024-03-01 10:21:31 小明\n混合\n')]),
    );
    const { preview } = await readPath(file);
    expect(preview).toMatchObject({
      turns: 0,
      faults: [{ reason: 'its encodings are mixed: line 6 is UTF-8, line 1 is not; save it as UTF-8' }],
    });
  });
});

describe('the package of Discord', () => {
  it('gives the messages alone, in channels with their names', async () => {
    const id = '123456789012345678';
    const packed = zipSync({
      'package/Messages/index.json': strToU8(JSON.stringify({ [id]: 'Direct Message with ben#0', '2': null })),
      [`package/Messages/c${id}/channel.json`]: strToU8(JSON.stringify({ id, type: 'DM' })),
      [`package/Messages/c${id}/messages.json`]: strToU8(
        JSON.stringify([{ ID: 1, Timestamp: '2024-03-05 09:00:00', Contents: 'hi', Attachments: '' }]),
      ),
      'package/Activity/reporting/events-2024-00000-of-00001.json': strToU8('{"event_type":"x"}\n{"event_type":"y"}\n'),
    });
    const { found, preview } = await readPath(await write('package.zip', packed));
    expect(toTurns(found)).toEqual(['user: hi']);
    expect(preview).toMatchObject({ fault_count: 0, left_out: { 'file without conversations': 3 } });
    expect(found.find(({ kind }) => kind === 'conversation')).toMatchObject({
      conversation: { title: 'Direct Message with ben#0' },
    });
  });
});

describe('a chat in several files', () => {
  it('is read in the order of their numbers', async () => {
    const chatFolder = join(folder, 'numbered');
    await mkdir(chatFolder);
    for (const part of [10, 9, 1])
      await writeFile(join(chatFolder, `part${part}.txt`), `2024-03-${part + 10} 10:20:31 Ann\n${part}\n`);
    expect(toTurns((await readPath(chatFolder)).found)).toEqual(['Ann: 1', 'Ann: 9', 'Ann: 10']);
  });
});

describe('archives', () => {
  it('of WhatsApp are read, with media left out and an archive in them named', async () => {
    const file = await write(
      'chat.zip',
      zipSync({
        '_chat.txt': strToU8(whatsapp),
        'IMG-1.jpg': strToU8('x'),
        'in.zip': zipSync({ 'a.txt': strToU8(whatsapp) }),
      }),
    );
    const { found, preview } = await readPath(file);
    expect(toTurns(found)).toEqual(['Ann: hi', 'Ben: hello']);
    expect(preview.left_out).toEqual({ 'file without conversations': 1 });
    expect(preview.faults).toEqual([{ place: 'in.zip', reason: 'an archive in an archive is not opened' }]);
  });

  it('of Windows in Chinese have names in GBK, and others UTF-8 without saying so', async () => {
    const plain = Buffer.from(zipSync({ 'XXXX.txt': strToU8(chat), 'YYYYYY.zip': strToU8('x') }));
    const toNamed = (mark: string, name: Buffer): void => {
      for (let at = plain.indexOf(mark); at >= 0; at = plain.indexOf(mark)) name.copy(plain, at);
    };
    toNamed('XXXX', iconv.encode('小明', 'gbk'));
    toNamed('YYYYYY', Buffer.from('微信'));
    const { found, preview } = await readPath(await write('named.zip', plain));
    expect(toTurns(found)).toEqual(said);
    expect(preview.faults).toEqual([{ place: '微信.zip', reason: 'an archive in an archive is not opened' }]);
  });

  it('with a password are refused with what to do, their other files read', async () => {
    const archive = Buffer.from(zipSync({ 'open.txt': strToU8(whatsapp), 'secret.txt': strToU8('x') }));
    // The bit that says so, in the central directory; AES is method 99.
    const at = archive.indexOf('secret.txt', archive.indexOf('PK\u0001\u0002')) - 46;
    archive.writeUInt16LE(1, at + 8);
    archive.writeUInt16LE(99, at + 10);
    const { found, preview } = await readPath(await write('aes.zip', archive));
    expect(toTurns(found)).toEqual(['Ann: hi', 'Ben: hello']);
    expect(preview.faults).toEqual([
      {
        place: 'secret.txt',
        reason: 'it is encrypted: unpack the archive with its password, and import the folder',
      },
    ]);
  });

  it('that hold nothing are said to', async () => {
    const file = await write('empty.zip', zipSync({}));
    await expect(readPath(file)).rejects.toThrow('the archive holds no files');
  });

  it('of Slack show names, a conversation a channel', async () => {
    const users = [
      { id: 'U1', name: 'ann', profile: { display_name: 'Ann' } },
      { id: 'U2', name: 'ben', profile: { real_name: 'Ben Lee' } },
    ];
    const day = (user: string, text: string, ts: string) =>
      strToU8(JSON.stringify([{ type: 'message', user, text, ts }]));
    const file = await write(
      'slack.zip',
      zipSync({
        'users.json': strToU8(JSON.stringify(users)),
        'channels.json': strToU8('[]'),
        'general/2024-03-05.json': day('U1', 'hi <@U2>', '1709600000.000100'),
        'general/2024-03-06.json': day('U2', 'hello', '1709690000.000100'),
        'random/2024-03-06.json': day('U2', 'tea', '1709690000.000100'),
      }),
    );
    const { found, preview } = await readPath(file);
    expect(toTurns(found)).toEqual(['Ann: hi @Ben Lee', 'Ben Lee: hello', 'Ben Lee: tea']);
    expect(preview.conversations).toBe(2);
  });

  it.each([
    [
      'leads out of it',
      'it holds a file whose path leads out of it',
      () => zipSync({ '../../evil.txt': strToU8(whatsapp) }),
    ],
    [
      'is cut',
      'it is no ZIP archive, or a damaged one',
      () => zipSync({ 'a.txt': strToU8(whatsapp.repeat(99)) }).subarray(0, -30),
    ],
  ])('whose content %s is refused', async (_name, message, make) => {
    await expect(openPath(await write('bad.zip', make()))).rejects.toMatchObject({ code: 'invalid', message });
  });

  it('that fills the disk when unpacked is refused', async () => {
    const file = await write(
      'bomb.zip',
      zipSync({ 'big.txt': new Uint8Array(40 * 1024 * 1024).fill(97) }, { level: 9 }),
    );
    expect((await readPath(file)).preview.faults[0]?.reason).toBe(
      'it grows more than a thousandfold when it is unpacked',
    );
  });
});

describe('folders', () => {
  it('are read file by file; links and what is no conversation are named, and the rest goes on', async () => {
    const own = join(folder, 'many');
    await mkdir(join(own, 'sub'), { recursive: true });
    await writeFile(join(own, 'a.txt'), whatsapp);
    await writeFile(join(own, 'README.md'), '# Loom\n\n```sh\nnpm ci\n```\n\n## Usage\n| a | b |\n');
    await writeFile(join(own, 'sub', 'b.txt'), 'Zoe: salut\nBen: hello\n');
    await writeFile(join(own, '.hidden.txt'), whatsapp);
    await writeFile(
      join(own, 'sub', '.aider.chat.history.md'),
      '\n# aider chat started at 2024-03-05 09:00:00\n\n#### tea?  \n\nyes\n',
    );
    await symlink(join(own, 'a.txt'), join(own, 'link.txt'));
    const { found, preview } = await readPath(own);
    expect(toTurns(found)).toEqual([
      'Ann: hi',
      'Ben: hello',
      'user: tea?',
      'assistant: yes',
      'Zoe: salut',
      'Ben: hello',
    ]);
    expect(preview.faults.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
      'link.txt: a link is not followed',
      expect.stringMatching(/^README\.md: it is a document and no conversation: line 1, "# Loom"; line \d, /u),
    ]);
  });
});

describe('damaged files', () => {
  const message = (id: number) =>
    `{"id":${id},"type":"message","date":"2023-05-12T14:03:22","date_unixtime":"1683893002","from":"Ann","from_id":"user1","text":"m${id}"}`;
  it.each([
    ['empty', '', 'it is empty'],
    ['binary', Buffer.from([0, 1, 2, 3, 0, 0, 255, 254, 0, 9]), 'it is no text: it holds NUL bytes'],
    ['only blanks', ' \n\n', undefined],
  ])('(%s) say so in a sentence, and give nothing', async (name, content, reason) => {
    const { preview } = await readPath(await write(`damaged-${name}.txt`, content));
    expect(preview.turns).toBe(0);
    expect(preview.faults[0]?.reason).toBe(reason);
  });

  it('cut in the middle keep what was read, and name the line', async () => {
    const text = `{"name":"Trip","type":"personal_chat","id":7,"messages":[\n${message(1)},\n${message(2)},\n${message(3).slice(0, 40)}`;
    const { found, preview } = await readPath(await write('cut.json', text));
    expect(toTurns(found)).toEqual(['Ann: m1', 'Ann: m2']);
    expect(preview.faults[0]?.reason).toBe('the JSON ends in its middle, in line 4');
  });

  it('with lines of a million characters, names of 10,000 and the same turn again keep what was said', async () => {
    const long = 'x'.repeat(1_000_000);
    const text = `25/12/2023, 14:03 - Ann: ${long}\n25/12/2023, 14:03 - ${'N'.repeat(10_000)}: hi\n25/12/2023, 14:04 - Ben: twice\n25/12/2023, 14:04 - Ben: twice\n`;
    const { found } = await readPath(await write('long.txt', text));
    const turns = toTurns(found);
    expect(turns[0]).toBe(`Ann: ${long}`);
    expect(turns.slice(1)).toEqual(['Ben: twice', 'Ben: twice']);
  });
});
