import { describe, expect, it } from '@jest/globals';
import { type Reading, readAll, toLines } from '../support/reading.ts';

const toRead = (read: Reading): readonly string[] => [read.format, ...toLines(read)];
const toTitles = ({ conversations }: Reading) => conversations.map(({ id, title }) => `${id}: ${title ?? '-'}`);
const toText = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('iMazing', () => {
  it('gives messages of WhatsApp by their direction, without notices and media', () => {
    const text = toText(
      'Chat Session,Message Date,Sent Date,Type,Sender ID,Sender Name,Status,Forwarded,Replying to,Text,Reactions,Attachment,Attachment type,Attachment info',
      'Family,2024-03-05 09:00:00,,Notification,,,,,,Messages are encrypted,,,,',
      'Family,2024-03-05 09:01:00,2024-03-05 09:01:01,Incoming,+331,Ann,Read,,,"tea, or',
      'cake?",👍,,,',
      'Family,2024-03-05 09:02:00,,Outgoing,,,Read,,,tea,,,,',
      'Family,2024-03-05 09:03:00,,Incoming,+332,,Read,,,,,a.jpg,Image,',
      'Family,2024-03-05 09:04:00,,Incoming,+332,,Read,,,of nobody known,,,,',
    );
    const read = readAll(`\uFEFF${text}`, { file: 'WhatsApp - Family.csv' });
    expect(toRead(read)).toEqual([
      'imazing-csv',
      '2024-03-05T09:01:00Z Ann: tea, or\ncake?',
      '2024-03-05T09:02:00Z user: tea',
      '2024-03-05T09:04:00Z +332: of nobody known',
    ]);
    expect(toTitles(read)).toEqual(['imazing-csv-WhatsApp - Family: WhatsApp - Family']);
    expect(read.leftOut).toEqual({ 'media or system message': 2 });
  });

  it('gives messages of the phone, chat by chat', () => {
    const row = (session: string, type: string, name: string, words: string) =>
      `${session},2024-03-05 09:00:00,,,,,iMessage,${type},,${name},Read,,,${words},,`;
    const read = readAll(
      toText(
        'Chat Session,Message Date,Delivered Date,Read Date,Edited Date,Deleted Date,Service,Type,Sender ID,Sender Name,Status,Replying to,Subject,Text,Reactions,Attachment',
        ...[
          row('Ann', 'Incoming', 'Ann', 'hi\uFFFC'),
          row('Ben', 'Outgoing', '', 'hello'),
          row('Ann', 'Incoming', '', 'bye'),
        ],
      ),
    );
    expect(toTitles(read)).toEqual([
      'imazing-csv-Messages - Ann: Messages - Ann',
      'imazing-csv-Messages - Ben: Messages - Ben',
    ]);
    expect(toLines(read).map((line) => line.slice(21))).toEqual(['Ann: hi', 'Ann: bye', 'user: hello']);
  });
});

describe('Whisper as a table', () => {
  it('gives the words as they stand, of nobody known, and asks for a date', () => {
    const read = readAll('start\tend\ttext\n0\t1200\t"Hello\n1200\t2400\tthere."\nx\ty\tz\n', { file: 'talk.tsv' });
    expect(toRead(read)).toEqual(['speech-tsv', '- unknown: "Hello there."']);
    expect(read.faults).toEqual(['line 4: it is no part of a transcript: start, end and words']);
    expect(read.notes).toEqual(['transcripts of speech tell no date: give --date']);
  });
});

describe('WeChatDataAnalysis', () => {
  it('gives words and answers with the offset of its clock, and who exported it', () => {
    const message = (isSent: boolean, renderType: string, content: string, more: object = {}) => ({
      id: 'm:1',
      createTime: 1_709_259_600,
      createTimeText: '2024-03-01 10:20:00',
      type: 1,
      renderType,
      isSent,
      senderUsername: isSent ? 'wxid_me' : 'wxid_li',
      senderDisplayName: isSent ? '我的名' : '李四',
      content,
      conversationUsername: 'wxid_li',
      isGroup: false,
      title: '',
      url: '',
      ...more,
    });
    const read = readAll(
      JSON.stringify({
        schemaVersion: 1,
        exportedAt: '2024-03-02T10:00:00',
        account: 'wxid_me',
        conversation: { username: 'wxid_li', displayName: '李四', avatarPath: '', isGroup: false },
        filters: { startTime: null },
        messages: [
          message(false, 'text', '你好'),
          message(true, 'quote', '好的', { type: 244_813_135_921, quoteContent: '你好' }),
          message(false, 'link', '一篇文章', { type: 49 }),
          message(false, 'image', '[图片]', { type: 3 }),
          message(false, 'system', '你撤回了一条消息', { type: 10_000 }),
        ],
      }),
      { file: 'conversations/0001/messages.json' },
    );
    expect(toRead(read)).toEqual([
      'wechat-json',
      '2024-03-01T10:20:00+08:00 李四: 你好',
      '2024-03-01T10:20:00+08:00 user: 好的',
    ]);
    expect(toTitles(read)).toEqual(['wechat-wxid_li: 李四']);
    expect(read.leftOut).toEqual({ 'media or system message': 3 });
  });
});
