import { describe, expect, it } from '@jest/globals';
import { parseTranscript } from '../src/formats/text/transcript-text.ts';
import { readOne, toScript } from './support/conversations.ts';

const toText = (...lines: readonly string[]): string => lines.join('\n');

describe('a chat of a form that is not read', () => {
  it.each([
    [
      'names between blanks',
      toText(
        ...['2024-03-01 10:20:31 小明 你好', '2024-03-01 10:20:40 李四 在吗', '2024-03-01 10:21:00 小明 在的'],
        ...['2024-03-01 10:21:30 李四 好', '2024-03-01 10:22:00 小明 走吧'],
      ),
    ],
    ['days alone', toText('2023-05-12 Ann: hi', '2023-05-13 Ben: hello')],
    [
      'KakaoTalk on a telephone',
      toText('2023년 5월 12일 오후 2:03, 김철수 : 안녕', '2023년 5월 12일 오후 2:04, Ann : hi'),
    ],
    ['days without a year', toText('31 Dec, 23:58 - Ann: hi', '31 Dec, 23:59 - Ben Lee: hello')],
    ['KakaoTalk', toText('2023년 5월 12일', '오후 2:03, Ann : hi', '오후 2:04, Ann : hello')],
  ])('(%s) is refused with two of its lines', (_name, text) => {
    const reading = (): unknown => parseTranscript(text);
    expect(reading).toThrow(expect.objectContaining({ code: 'invalid', field: 'conversation_history' }));
    expect(reading).toThrow(
      /it looks like a chat of a form that is not read: line \d, ".+"; line \d, ".+"\. Conversations/u,
    );
  });

  it('is told by the lines that made it look so, each in one line and cut', () => {
    const long = `[12/05/2023, 14:03:22] Ann: ${'very '.repeat(400)}long`;
    expect(() => parseTranscript(toText('Our trip', long, 'and more', '[13/05/2023, 09:00:00] Ben: hi'))).toThrow(
      /line 2, "\[12\/05\/2023, 14:03:22\] Ann: (?:very ){10}\S*\s?\S*"; line 4, "\[13\/05\/2023, 09:00:00\] Ben: hi"/u,
    );
  });
});

describe('a file of another kind', () => {
  it.each([
    ['PDF', toText('%PDF-1.7', '1 0 obj', 'endobj')],
    [
      'web archive of QQ',
      toText('From: <Save by Tencent MsgMgr>', 'Subject: IM Message', 'MIME-Version: 1.0', '', '<html>hi</html>'),
    ],
  ])('(%s) is refused, with the line that tells', (_name, text) => {
    expect(() => parseTranscript(text)).toThrow(/it is a document and no conversation: line 1/u);
  });
});

describe('a line that looks like YAML in a text without front matter', () => {
  it('dates nothing', () => {
    const text = toText('note: tea', 'created: 2020-01-01', 'title: x', 'end');
    const dates = parseTranscript(text).flatMap(({ sessions }) => sessions.map(({ date }) => date));
    expect(dates).toEqual([undefined]);
  });
});

describe('text that is no chat', () => {
  it.each([
    ['prose', 'Dear diary.\nToday I moved to Lyon. It rained at 10:30, and again on 12/05/2023.\n\nThen I slept.'],
    ['Chinese prose', '今天我搬到了里昂。\n下午3:00下雨了，晚上8:00又下了。\n2023年5月12日我很高兴。'],
    ['a timetable', '10:30 Lyon\n11:15 Paris\n12:00 lunch\nwith Mia\n19:00 Dinner\nwith Ben'],
    [
      'a log of one person',
      '2024-03-05 08:10 woke up late\n2024-03-05 12:00 had lunch with Mia\n2024-03-06 09:00 at work',
    ],
    ['a list of changes', '1.2.3 Fixed: the crash\n1.2.4 Added: a window\n1.2.5 Removed: the door'],
    ['recipes', 'Ingredients: 2 eggs\n3.50 euros: butter\nBake for 12:30 minutes'],
    ['a travel diary', '12/05/2023 Lyon\nWe arrived at noon.\n\n13/05/2023 Paris\nIt rained.'],
    ['lists with commas', 'milk, eggs, bread\ntea, coffee, sugar\napples, pears, plums'],
    ['words between quotes', '"To be, or not to be."'],
  ])('(%s) is one turn of the user', (_name, text) => {
    expect(toScript(readOne(text)).flat()).toEqual([`user: ${text}`]);
  });

  it('is a chat of a form that is read all the same, with some lines of another one quoted in it', () => {
    const lines = [
      'Anna: look',
      '[12/05/2023, 14:03] Ben: hi',
      '[12/05/2023, 14:04] Ben: yo',
      'Ben: funny',
      'Anna: yes',
      'Ben: bye',
    ];
    expect(toScript(readOne(toText(...lines))).flat()).toHaveLength(4);
  });
});

describe('a value that is no conversation', () => {
  it.each(['null', '5', ' true\n', '-1.5e3', '[1, 2]', '[null]', '"Anna: hi\\nBen: hello"'])(
    '%s is refused',
    (text) => {
      expect(() => parseTranscript(text)).toThrow(expect.objectContaining({ code: 'invalid' }));
    },
  );
});

describe('a table', () => {
  it.each([
    ['commas', 'speaker,text\nAnna,I love tea'],
    ['commas', 'timestamp,product,message\n2023-05-12,Anna,"I love tea, and more"\n2023-05-12,Ben,ok, fine'],
    ['commas', 'item,amount,price\ntea,1,2\nmilk,3,4'],
    ['semicolons', 'Datum;Name;Betrag\n1.2.;Anna;5\n2.2.;Ben;6'],
    ['tabs', '姓名\t年龄\n张三\t20\n李四\t21'],
  ])('with %s is refused: %j', (separator, text) => {
    expect(() => parseTranscript(text)).toThrow(`it is a table with ${separator} between its columns`);
  });
});
