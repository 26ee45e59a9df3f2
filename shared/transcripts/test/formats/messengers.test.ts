import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

const toText = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('an encrypted chat of Messenger', () => {
  it('is read, oldest first, with the name of the person', () => {
    const message = (senderName: string, timestamp: number, text: string, isUnsent = false) => ({
      isUnsent,
      media: [],
      reactions: [],
      senderName,
      text,
      timestamp,
      type: 'text',
    });
    const read = readAll(
      JSON.stringify({
        participants: ['Ann', 'Ben'],
        threadName: 'Ben_7',
        messages: [
          message('Ben', 1709629260000, 'bye'),
          message('Ann', 1709629200000, 'hi'),
          message('Ann', 1, '', true),
        ],
      }),
    );
    expect(read.format).toBe('messenger');
    expect(toLines(read).map((one) => one.slice(25))).toEqual(['Ann: hi', 'Ben: bye']);
    expect(read.conversations[0]).toMatchObject({ id: 'messenger-Ben_7', title: 'Ben' });
    expect(read.leftOut).toEqual({ 'deleted message': 1 });
  });
});

describe('Signal as sigtop writes it', () => {
  const text = toText(
    ...['Conversation: Ben Lee (+33123456789)', ''],
    ...['From: You', 'Type: outgoing', 'Sent: Tue, 5 Mar 2024 10:00:00 +0100', '', 'Two lines', '', 'Type: of tea', ''],
    ...['From: Ben Lee (+33123456789)', 'Type: incoming', 'Sent: Tue, 5 Mar 2024 10:01:00 +0100'],
    ...['Received: Tue, 5 Mar 2024 10:01:01 +0100', 'Reaction: 👍 from You', ''],
    ...['> From: You', '> Sent: Tue, 5 Mar 2024 10:00:00 +0100', '>', '> Two lines', '', 'Green', ''],
    ...['From: Ben Lee (+33123456789)', 'Type: incoming', 'Sent: Tue, 5 Mar 2024 10:02:00 +0100'],
    ...['Received: Tue, 5 Mar 2024 10:02:01 +0100', 'Attachment: a.jpg (image/jpeg, 5 bytes)', ''],
    ...['From: You', 'Type: outgoing', 'Sent: Tue, 5 Mar 2024 10:03:00 +0100', 'Edited: 2 versions', ''],
    ...['| Version: 2', '| Sent: Tue, 5 Mar 2024 10:04:00 +0100', '|', '| See you at eight', '|'],
    ...['| Version: 1', '| Sent: Tue, 5 Mar 2024 10:03:00 +0100', '|', '| See you at nine', ''],
    ...[
      'Type: group-v2-change',
      'Sent: Tue, 5 Mar 2024 10:05:00 +0100',
      'Received: Tue, 5 Mar 2024 10:05:00 +0100',
      '',
    ],
  );
  it('gives the words of each message, the last version of one that was changed, and not what it answers', () => {
    const read = readAll(text);
    expect(read.format).toBe('sigtop');
    expect(toLines(read)).toEqual([
      '2024-03-05T10:00:00+01:00 user: Two lines\n\nType: of tea',
      '2024-03-05T10:01:00+01:00 Ben Lee: Green',
      '2024-03-05T10:03:00+01:00 user: See you at eight',
    ]);
    expect(read.leftOut).toEqual({
      media: 1,
      'system message': 1,
      'earlier version of a message': 1,
      'quotation of another message': 1,
    });
    expect(read.leftOutWords).toContainEqual(expect.stringContaining('See you at nine'));
    expect(read.conversations[0]?.title).toBe('Ben Lee');
  });

  it('names a message whose time there is not', () => {
    const read = readAll(text.replace('Sent: Tue, 5 Mar 2024 10:01', 'Sent: Tue, 35 Mar 2024 10:01'));
    expect(read.faults).toEqual([expect.stringMatching(/^line \d+: there is no such date or time$/u)]);
    expect(toLines(read)).toHaveLength(2);
  });
});

describe('the package of Discord', () => {
  const file = 'package/messages/c123456789012345678/messages.csv';
  it('gives what the user wrote, oldest first, in the channel that the index names', () => {
    const text = toText(
      'ID,Timestamp,Contents,Attachments',
      '3,2024-03-05 09:02:00.123000+00:00,,https://cdn.discordapp.com/a.png',
      '2,2024-03-05 09:01:00.123000+00:00,"two\nlines",',
      '1,2024-03-05 09:00:00.123000+00:00,hi,',
    );
    const read = readAll(text, { file, names: new Map([['123456789012345678', 'Direct Message with ben#0']]) });
    expect(read.format).toBe('discord-package');
    expect(toLines(read)).toEqual(['2024-03-05T09:00:00.000Z user: hi', '2024-03-05T09:01:00.000Z user: two\nlines']);
    expect(read.leftOut).toEqual({ media: 1 });
    expect(read.conversations[0]).toMatchObject({
      id: 'discord-123456789012345678-own',
      title: 'Direct Message with ben#0',
    });
  });
});

describe('Telegram as a page', () => {
  const message = (id: number, inner: string, { joined = '', at = '05.03.2024 10:00:00 UTC+01:00' } = {}): string =>
    `<div class="message default clearfix${joined}" id="message${id}"><div class="body"><div class="pull_right date details" title="${at}">10:00</div>${inner}</div></div>\n`;
  const from = (name: string): string => `<div class="from_name">\n${name}\n</div>`;
  const words = (text: string): string => `<div class="text">\n${text}\n</div>`;
  const page = (...messages: readonly string[]): string =>
    `<html><body><div class="page_header"><div class="text bold">\nBen Lee\n</div></div><div class="history">\n${messages.join('')}</div></body></html>`;

  it('gives names to messages that are written without one, and leaves out what is no words', () => {
    const read = readAll(
      page(
        '<div class="message service" id="message-1"><div class="body details">5 March 2024</div></div>\n',
        message(1, `${from('Ann')}${words('a &lt;b&gt; <strong>c</strong><br>d')}`),
        message(2, words('again'), { joined: ' joined', at: '05.03.2024 10:01:00' }),
        message(
          3,
          `${from('Ben Lee via @gif')}<div class="media_wrap clearfix"><div class="title bold">Photo</div></div>`,
        ),
        message(
          4,
          `${from('Ben Lee')}<div class="forwarded body">${from('Zoé <span class="date details" title="01.01.2020 00:00:00">01.01.2020</span>')}${words('news')}</div>`,
        ),
        message(5, `${from('Ann')}${words('x')}`, { at: '99.03.2024 10:00:00' }),
      ),
      { file: 'ChatExport/messages.html' },
    );
    expect(read.format).toBe('telegram-html');
    expect(toLines(read)).toEqual([
      '2024-03-05T10:00:00+01:00 Ann: a <b> c\nd',
      '2024-03-05T10:01:00Z Ann: again',
      '2024-03-05T10:00:00+01:00 Ben Lee: [forwarded from Zoé] news',
    ]);
    expect(read.leftOut).toEqual({ 'service message': 1, media: 1 });
    expect(read.faults).toEqual(['message 6: there is no such date or time']);
    expect(read.conversations[0]).toMatchObject({ id: 'telegram-html-Ben Lee', title: 'Ben Lee' });
  });
});

describe('KakaoTalk', () => {
  it('of a computer is read in Korean and in English', () => {
    const korean = readAll(
      toText(
        ...['우리 가족 카카오톡 대화', '저장한 날짜 : 2024-03-06 10:00:00', ''],
        '--------------- 2024년 3월 5일 화요일 ---------------',
        ...[
          '지수님이 들어왔습니다.',
          '[민준] [오전 12:05] 안녕',
          '두 번째 줄',
          '[지수] [오후 3:20] 사진',
          '[지수] [오후 3:21] 내일 봐',
        ],
      ),
    );
    expect(korean.format).toBe('kakaotalk');
    expect(toLines(korean)).toEqual([
      '2024-03-05T00:05:00Z 민준: 안녕\n두 번째 줄',
      '2024-03-05T15:21:00Z 지수: 내일 봐',
    ]);
    expect(korean.conversations[0]?.title).toBe('우리 가족');
    expect(korean.leftOut).toEqual({ 'line with a date': 1, 'system message': 1, media: 1 });
    const english = readAll(
      toText(
        ...['Ben with KakaoTalk Chats', 'Date Saved : 2024-03-06 10:00:00', ''],
        '--------------- Tuesday, March 5, 2024 ---------------',
        ...['[Ann] [9:00 AM] hi', '[Ben] [3:20 PM] Emoticons'],
      ),
    );
    expect(toLines(english)).toEqual(['2024-03-05T09:00:00Z Ann: hi']);
  });

  it.each([
    ['Android', '2024년 3월 5일 오후 3:20, 민준 : 안녕', '2024년 3월 5일 오후 3:20, 지수님이 나갔습니다.'],
    ['iOS', '2024. 3. 5. 오후 3:20, 민준 : 안녕', '2024. 3. 5. 오후 3:20: 지수님이 나갔습니다.'],
    ['iOS with 24 hours', '2024. 3. 5. 15:20, 민준 : 안녕', '2024. 3. 5. 15:20: 지수님이 나갔습니다.'],
    ['Android in English', 'March 5, 2024, 3:20 PM, 민준 : 안녕', 'March 5, 2024, 3:20 PM'],
    ['iOS in English', 'Mar 5, 2024 at 15:20, 민준 : 안녕', 'Mar 5, 2024 at 15:20: 지수 left.'],
  ])('of %s is read, its notices left out', (_name, said, notice) => {
    const read = readAll(
      toText('지수 님과 카카오톡 대화', '저장한 날짜 : 2024년 3월 6일 오전 10:00', '', notice, said, 'go on'),
    );
    expect(read.format).toBe('kakaotalk');
    expect(toLines(read)).toEqual(['2024-03-05T15:20:00Z 민준: 안녕\ngo on']);
    expect(Object.values(read.leftOut)).toEqual([1]);
  });

  it('as CSV leaves out pictures and notices', () => {
    const read = readAll(
      toText('Date,User,Message', '2024-03-05 15:20:00,"민준","안녕, ""너"""', '2024-03-05 15:21:00,"민준","사진 2장"'),
    );
    expect(read.format).toBe('kakaotalk-csv');
    expect(toLines(read)).toEqual(['2024-03-05T15:20:00Z 민준: 안녕, "너"']);
  });
});

describe('iMessage as imessage-exporter writes it', () => {
  it('gives what was said, without reactions, answers shown twice, pictures and notices', () => {
    const read = readAll(
      toText(
        ...['May 17, 2022  5:29:42 PM (Read by them after 1 hour, 49 seconds)', 'Me', 'Two', 'lines', ''],
        ...['    May 17, 2022  5:40:00 PM', '    Ben', '    An answer', ''],
        ...['May 17, 2022  5:30:00 PM', '+33123456789', 'Yes', 'Tapbacks:', '    Liked by Me', ''],
        ...['May 17, 2022  5:31:00 PM Ben named the conversation Tea', ''],
        ...['May 17, 2022  5:32:00 PM', 'Ben', '/home/ann/attachments/1/a.jpeg', ''],
        ...['May 17, 2022  5:40:00 PM', 'Ben', 'An answer', 'This message responded to an earlier message.', ''],
      ),
      { file: 'Ben.txt' },
    );
    expect(read.format).toBe('imessage');
    expect(toLines(read)).toEqual([
      '2022-05-17T17:29:42Z user: Two\nlines',
      '2022-05-17T17:30:00Z +33123456789: Yes',
      '2022-05-17T17:40:00Z Ben: An answer',
    ]);
    expect(read.leftOut).toEqual({
      'system message': 1,
      media: 1,
      'line of the exporter': 1,
      'reaction, or answer that comes again': 2,
    });
  });

  it('gives of a message that was changed the last version, of one that was taken back nothing', () => {
    const read = readAll(
      toText(
        ...['May 17, 2022  5:29:42 PM', 'Me', 'See you at nine', 'Edited 12 seconds later: See you at ten'],
        ...['Edited 1 minute, 2 seconds later: See you at eight', 'or later', ''],
        ...[
          'May 17, 2022  5:30:42 PM',
          'Ben',
          'May 17, 2022  5:30:42 PM fine',
          'Edited 5 seconds later: Fine by me',
          '',
        ],
        ...['May 17, 2022  5:31:42 PM', 'Ben', 'Ben unsent this message part 3 seconds after sending!', ''],
        ...['May 17, 2022  5:32:42 PM', 'Ben', '    indented code', 'Sent with Slam', ''],
      ),
    );
    expect(toLines(read)).toEqual([
      '2022-05-17T17:29:42Z user: See you at eight\nor later',
      '2022-05-17T17:30:42Z Ben: Fine by me',
      '2022-05-17T17:32:42Z Ben: indented code',
    ]);
    expect(read.leftOut).toEqual({
      'earlier version of a message': 3,
      'deleted message': 1,
      'line of the exporter': 1,
    });
    expect(read.leftOutWords.slice(0, 2)).toEqual(['See you at nine', 'See you at ten']);
  });
});
