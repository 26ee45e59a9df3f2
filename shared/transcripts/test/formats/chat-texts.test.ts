import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

const toText = (...lines: readonly string[]): string => lines.join('\n');

describe('WhatsApp', () => {
  it('on Android: 24 hours, lines that go on, media, system lines, deleted and edited messages', () => {
    const text = toText(
      '25/12/2023, 14:03 - Messages and calls are end-to-end encrypted. No one outside of this chat can read them.',
      '25/12/2023, 14:03 - Ann created group "Trip: Lyon"',
      '25/12/2023, 14:03 - Ann: hi, the list:',
      '- bread',
      '',
      'Total: 3 euros',
      '25/12/2023, 14:04 - Ben 🌻: <Media omitted>',
      '25/12/2023, 14:05 - Ben 🌻: IMG-20231225-WA0001.jpg (file attached)',
      'the tree',
      '25/12/2023, 14:06 - +44 7700 900123: This message was deleted',
      '25/12/2023, 14:07 - +44 7700 900123: see http://x.org: good <This message was edited>',
      '26/12/2023, 00:00 - Ann de la Cruz: bye',
    );
    const read = readAll(text, { file: 'WhatsApp Chat with Family.txt' });
    expect(read.format).toBe('whatsapp');
    expect(toLines(read)).toEqual([
      '2023-12-25T14:03:00Z Ann: hi, the list:\n- bread\n\nTotal: 3 euros',
      '2023-12-25T14:05:00Z Ben 🌻: the tree',
      '2023-12-25T14:07:00Z +44 7700 900123: see http://x.org: good',
      '2023-12-26T00:00:00Z Ann de la Cruz: bye',
    ]);
    expect(read.leftOut).toEqual({ 'system message': 2, media: 2, 'deleted message': 1 });
    expect(read.conversations[0]?.title).toBe('Family');
    expect(read.notes).toEqual(['dates are read with the day first (3/4 is 3 April)']);
  });

  it('on iOS: brackets, seconds, 12 hours with a narrow space, marks of direction', () => {
    const text = toText(
      '[3/4/24, 12:05:09\u202fAM] Ann: \u200eMessages and calls are end-to-end encrypted.',
      '[3/4/24, 12:05:10\u202fAM] Ann: late',
      '\u200e[3/4/24, 1:05:10\u202fPM] Ben: \u200eimage omitted',
      '[3/4/24, 12:06:00\u202fPM] ~\u202fBen: noon',
      '[3/14/24, 9:00:00\u202fPM] Ann: look \u200e<attached: 00000012-PHOTO-2024-03-14.jpg>',
    );
    const read = readAll(text);
    expect(toLines(read)).toEqual([
      '2024-03-04T00:05:10Z Ann: late',
      '2024-03-04T12:06:00Z Ben: noon',
      '2024-03-14T21:00:00Z Ann: look',
    ]);
    expect(read.notes).toEqual(['dates are read with the month first (3/4 is 4 March)']);
  });

  it('in German and Chinese', () => {
    const german = toText(
      '01.05.23, 14:03 - Änn 🌻: hallo',
      '02.05.23, 14:04 - Ben: <Medien ausgeschlossen>',
      '02.05.23, 14:05 - Ben: tag',
    );
    expect(toLines(readAll(german))).toEqual(['2023-05-01T14:03:00Z Änn 🌻: hallo', '2023-05-02T14:05:00Z Ben: tag']);
    const chinese = toText(
      '2023/5/12 下午2:03 - 小明: 你好',
      '2023/5/12 晚上11:04 - 李四: 在吗',
      '2023/5/13 上午12:04 - 李四: <省略多媒体文件>',
    );
    expect(toLines(readAll(chinese))).toEqual(['2023-05-12T14:03:00Z 小明: 你好', '2023-05-12T23:04:00Z 李四: 在吗']);
  });

  it('decides day and month over the whole file, by what goes forward in time where no day is over 12', () => {
    const dayFirst = toText('01/02/2023, 10:00 - Ann: a', '05/02/2023, 10:00 - Ann: b', '01/03/2023, 10:00 - Ann: c');
    expect(toLines(readAll(dayFirst)).map((line) => line.slice(0, 10))).toEqual([
      '2023-02-01',
      '2023-02-05',
      '2023-03-01',
    ]);
    const monthFirst = toText('02/01/2023, 10:00 - Ann: a', '02/05/2023, 10:00 - Ann: b', '03/01/2023, 10:00 - Ann: c');
    expect(toLines(readAll(monthFirst)).map((line) => line.slice(0, 10))).toEqual([
      '2023-02-01',
      '2023-02-05',
      '2023-03-01',
    ]);
  });

  it('has lines of impossible dates named and left out, with what stands below them', () => {
    const text = toText(
      '12/05/2023, 10:00 - Ann: a',
      '99/99/99999, 10:00 - Ben: x',
      'more of Ben',
      '13/05/2023, 10:00 - Ann: b',
    );
    const read = readAll(text);
    expect(toLines(read)).toEqual(['2023-05-12T10:00:00Z Ann: a', '2023-05-13T10:00:00Z Ann: b']);
    expect(read.faults).toEqual(['line 2: there is no such date or time']);
    expect(read.leftOut).toEqual({ 'line below what is left out': 1 });
  });
});

describe('WeChat as text', () => {
  it('with the time before the name', () => {
    const text = toText(
      '2024-03-01 10:20:31 小明',
      '你好',
      '',
      '2024-03-01 10:20:40 李四 🌻',
      '[图片]',
      '',
      '2024-03-01 10:21:00 李四 🌻',
      '明天 10:20 见',
      '2024/3/2 09:00 改时间',
      '',
      '2024-03-02 08:00:00 系统消息',
      '小明撤回了一条消息',
      '',
      '2024-03-02 08:01:00 小明',
      '好的: 没问题',
    );
    const read = readAll(text);
    expect(read.format).toBe('wechat');
    expect(toLines(read)).toEqual([
      '2024-03-01T10:20:31Z 小明: 你好',
      '2024-03-01T10:21:00Z 李四 🌻: 明天 10:20 见\n2024/3/2 09:00 改时间',
      '2024-03-02T08:01:00Z 小明: 好的: 没问题',
    ]);
    expect(read.leftOut).toMatchObject({ media: 1, 'system message': 1 });
  });

  it('with the name before the time, 上午 and 下午 and Chinese dates', () => {
    const slashes = toText('小明 2024/3/1 10:20', '你好', '李四 2024/3/1 下午3:05', '在吗', '在的话回我');
    expect(toLines(readAll(slashes))).toEqual([
      '2024-03-01T10:20:00Z 小明: 你好',
      '2024-03-01T15:05:00Z 李四: 在吗\n在的话回我',
    ]);
    const chinese = toText('小明 2023年5月12日 14:03', '你好', '李四 2023年5月12日 上午12:04', '在吗');
    expect(toLines(readAll(chinese))).toEqual(['2023-05-12T14:03:00Z 小明: 你好', '2023-05-12T00:04:00Z 李四: 在吗']);
  });

  it('with the time in brackets, and as its own mails have it', () => {
    const brackets = toText('小明(2024-03-01 10:20:31): 你好', '李四(2024-03-01 10:21:00): 在吗', '第二行');
    expect(toLines(readAll(brackets))).toEqual([
      '2024-03-01T10:20:31Z 小明: 你好',
      '2024-03-01T10:21:00Z 李四: 在吗\n第二行',
    ]);
    const mail = toText(
      'Dear:',
      '',
      '   下面是"小明"的聊天记录：',
      '',
      '—————  2024-03-01  —————',
      '',
      '小明  10:20',
      '',
      '你好',
      '',
      '李四  10:21',
      '',
      '在吗',
      '',
      '—————  2024-03-02  —————',
      '',
      '小明  08:00',
      '',
      '早',
    );
    expect(toLines(readAll(mail))).toEqual([
      '2024-03-01T10:20:00Z 小明: 你好',
      '2024-03-01T10:21:00Z 李四: 在吗',
      '2024-03-02T08:00:00Z 小明: 早',
    ]);
  });

  it('takes the time zone of its clocks', () => {
    const text = toText('2024-03-01 10:20:31 小明', '你好', '', '2024-03-01 10:20:40 李四', '在吗');
    expect(toLines(readAll(text, { timezone: 'Asia/Shanghai', me: ['小明'] }))).toEqual([
      '2024-03-01T10:20:31+08:00 user: 你好',
      '2024-03-01T10:20:40+08:00 李四: 在吗',
    ]);
  });
});

describe('QQ', () => {
  it('has header lines, ids, titles, and several conversations in a file', () => {
    const rule = '================================================================';
    const text = toText(
      '消息记录（此消息记录为文本格式，不支持重新导入）',
      '',
      rule,
      '消息分组:我的好友',
      rule,
      '消息对象:张三',
      rule,
      '',
      '2023-05-12 14:03:22 张三(12345)',
      '你好',
      '',
      '2023-05-12 9:03:30 李四<li@qq.com>',
      '在吗',
      '[表情]',
      '',
      rule,
      '消息分组:我的群',
      rule,
      '消息对象:读书会',
      rule,
      '',
      '2023-05-13 14:03:22 【管理员】王五(54321)',
      '明天见',
      '',
      '2023-05-13 14:03:23 系统消息(10000)',
      '张三加入了群聊',
    );
    const read = readAll(text);
    expect(read.format).toBe('qq');
    expect(toLines(read)).toEqual([
      '2023-05-12T14:03:22Z 张三: 你好',
      '2023-05-12T09:03:30Z 李四: 在吗\n[表情]',
      '2023-05-13T14:03:22Z 王五: 明天见',
    ]);
    expect(read.conversations.map(({ title }) => title)).toEqual(['张三', '读书会']);
  });
});

describe('Discord as text', () => {
  it('is read without its rules, attachments and reactions', () => {
    const rule = '='.repeat(62);
    const text = toText(
      rule,
      'Guild: Makers',
      'Channel: general / chat',
      rule,
      '',
      '[5/13/2023 2:03 PM] ann#1234',
      'hi',
      'there',
      '',
      '{Attachments}',
      'https://cdn/x.png',
      '',
      '[5/13/2023 2:04 PM] Ben (pinned)',
      'hello',
      '',
      '{Reactions}',
      '👍 (2)',
      '',
      rule,
      'Exported 2 message(s)',
      rule,
    );
    const read = readAll(text);
    expect(read.format).toBe('discord-text');
    expect(toLines(read)).toEqual(['2023-05-13T14:03:00Z ann: hi\nthere', '2023-05-13T14:04:00Z Ben: hello']);
  });
});

describe('subtitles', () => {
  it('have no time codes in their words, and unknown speakers are nobody', () => {
    const vtt = toText(
      'WEBVTT - a talk',
      '',
      'NOTE made by hand',
      '',
      '1',
      '00:00:01.000 --> 00:00:04.000 align:start',
      '<v Ann>Hello <i>there</i>.</v>',
      '',
      '2',
      '00:00:05.000 --> 00:00:06.000',
      '<v Ben Lee>Hi.</v>',
      '',
      '00:07.000 --> 00:08.000',
      'and welcome',
    );
    expect(toLines(readAll(vtt))).toEqual(['- Ann: Hello there.', '- Ben Lee: Hi.', '- unknown: and welcome']);
    const srt = toText(
      '1',
      '00:00:01,000 --> 00:00:04,000',
      'Ann: Hello',
      'again',
      '',
      '2',
      '00:00:05,000 --> 00:00:06,000',
      'Ben: Hi',
    );
    expect(toLines(readAll(srt))).toEqual(['- Ann: Hello again', '- Ben: Hi']);
    const nameless = toText('1', '00:00:01,000 --> 00:00:04,000', 'Once upon a time');
    expect(toLines(readAll(nameless))).toEqual(['- unknown: Once upon a time']);
  });
});

describe('Markdown notes', () => {
  it('are dated by their headings and their front matter, which is no text of theirs', () => {
    const text = toText(
      '---',
      'title: Garden',
      'tags: [a, b]',
      'date: 2024-03-01',
      '---',
      'Sowed peas.',
      '',
      '## 2024-03-05',
      'They came up.',
      '- three',
      '',
      '## 2024年3月6日 星期三',
      '下雨。',
    );
    const read = readAll(text, { file: 'garden.md' });
    expect(read.format).toBe('notes');
    expect(toLines(read)).toEqual([
      '2024-03-01 user: Sowed peas.',
      '2024-03-05 user: They came up.\n- three',
      '2024-03-06 user: 下雨。',
    ]);
    expect(read.conversations[0]?.title).toBe('Garden');
  });
});

describe('Markdown notes under dated headings', () => {
  it('are notes also where a word stands before a colon', () => {
    const text = toText('# Trip', '', '## 2024-03-05', '', 'Went: to Lyon.', '', '## March 6, 2024', '', 'Back.');
    const read = readAll(text);
    expect(read.format).toBe('notes');
    expect(toLines(read)).toEqual(['2024-03-05 user: Went: to Lyon.', '2024-03-06 user: Back.']);
  });
});

describe('a chat under a dated heading or front matter', () => {
  it('is a chat, whatever colon its names have', () => {
    const chinese = toText('# 2024-03-05', '林夏：昨天我去了茶馆。', '周启明：下周二我去杭州。');
    expect(toLines(readAll(chinese, { file: '2024-03-05.md' }))).toEqual([
      '2024-03-05 林夏: 昨天我去了茶馆。',
      '2024-03-05 周启明: 下周二我去杭州。',
    ]);
    const fronted = toText('---', 'title: Tea', 'date: 2024-03-05', '---', 'Ann: hi', 'Ben: hello');
    expect(toLines(readAll(fronted))).toEqual(['2024-03-05 Ann: hi', '2024-03-05 Ben: hello']);
  });
});

describe('who speaks in doubtful places', () => {
  it('of a chat saved as Markdown is told by its headings', () => {
    const text = toText(
      '# Tea',
      '',
      '## User',
      'hi',
      '',
      '## ChatGPT',
      'hello',
      '### Steps',
      '1. boil',
      '',
      '## User:',
      'bye',
    );
    expect(toLines(readAll(text))).toEqual(['- user: hi', '- ChatGPT: hello\n### Steps\n1. boil', '- user: bye']);
  });

  it.each([
    ['Cursor', '**User**', '**Cursor**', 'Cursor', '-'],
    ['SpecStory', '_**User**_', '_**Assistant (2025-03-05 09:00Z)**_', 'Assistant', '2025-03-05T09:00:00Z'],
  ])('of %s tells in bold who speaks, between rules', (_name, user, assistant, speaker, at) => {
    const text = `# Tea\n_Exported on 3/5/2024_\n\n---\n\n${user}\n\nhi\n\n---\n\n${assistant}\n\nhello **there**\n\n---\n`;
    expect(toLines(readAll(text))).toEqual(['- user: hi', `${at} ${speaker}: hello **there**`]);
  });

  it('of QQ is told by heads with ids alone, where heads have them', () => {
    const text = toText(
      '2023-05-12 14:03:22 张三(12345)',
      '2023-05-13 10:00:00 开会',
      '',
      '2023-05-12 14:03:30 李四(54321)',
      '好',
    );
    expect(toLines(readAll(text))).toEqual([
      '2023-05-12T14:03:22Z 张三: 2023-05-13 10:00:00 开会',
      '2023-05-12T14:03:30Z 李四: 好',
    ]);
  });

  it('of subtitles is told by each cue alone', () => {
    const text = toText(
      '1',
      '00:00:01,000 --> 00:00:04,000',
      'ANN: Hello',
      '',
      '2',
      '00:00:05,000 --> 00:00:06,000',
      '(music)',
      '',
      '3',
      '00:00:07,000 --> 00:00:08,000',
      'Who is it?',
      '',
      '4',
      '00:00:09,000 --> 00:00:10,000',
      'Ben de la Cruz: Me',
    );
    expect(toLines(readAll(text))).toEqual(['- ANN: Hello', '- unknown: Who is it?', '- Ben de la Cruz: Me']);
  });

  it('of WeChat is known of one message alone', () => {
    expect(toLines(readAll(toText('2024-03-01 10:20:31 小明', '你好')))).toEqual(['2024-03-01T10:20:31Z 小明: 你好']);
  });

  it('of WhatsApp is known whatever stands between day and time', () => {
    const text = toText('12/05/2023 à 14:03 - Ann: salut', '13/05/2023 à 14:04 - Ben: oui');
    expect(toLines(readAll(text))).toEqual(['2023-05-12T14:03:00Z Ann: salut', '2023-05-13T14:04:00Z Ben: oui']);
  });
});

describe('what is no conversation', () => {
  it.each([
    [
      'a README',
      toText(
        '# Loom',
        '',
        '[![CI](x)](y)',
        '',
        'It cannot: no.',
        '',
        '```sh',
        'npm install',
        '```',
        '',
        '## Usage',
        'Note: run it.',
        '| a | b |',
        '| - | - |',
      ),
    ],
    ['source code', toText('import os', 'from x import y', 'def main():', '    print("a: b")')],
    ['a log', toText('2024-03-05 10:00:00 INFO server: started', '2024-03-05 10:00:01 WARN db: slow')],
    ['a page of an export', toText('<!DOCTYPE html>', '<div class="message">', '<div>hi</div>', '</div>')],
    ['a web page', toText('<!DOCTYPE html>', '<html>', '<body>', '# no', '<p>Ann: hi</p>')],
  ])('(%s) is refused with the lines that show it', (_name, text) => {
    expect(() => readAll(text, { file: 'README.md' })).toThrow(
      /it is a document and no conversation: line \d+, ".+"(?:; line \d+, ".+")?\./u,
    );
  });
});
