import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findReplaced } from '../../src/states/index.ts';

const at = (month: string): number => Date.parse(`${month}-01T12:00:00Z`);
const say = (text: string, month: string, speaker = 'ann') => ({ text, time: at(month), speaker });
const replacedBy = (older: string, newer: string) =>
  findReplaced([say(older, '2024-03'), say(newer, '2025-05')]).get(0);

describe('what is said to be over', () => {
  it.each([
    ['I live in Leeds, near the canal.', "We've finally moved to Leith.", 'Leith'],
    ['I live in York.', 'I live in Whitby now.', 'Whitby'],
    ['I work at Hartley and Broom.', "Big news. I've handed in my notice at Hartley and Broom.", undefined],
    ['I work as a plumber.', 'I now work as a paramedic.', 'paramedic'],
    ['My girlfriend is called Petra.', 'Petra and I broke up over the summer.', undefined],
    ["I'm seeing Ines.", "I've met somebody. Her name is Mara.", 'Mara'],
    ['I drive an old Skoda.', 'I sold the Skoda and bought a Honda Jazz.', 'Honda Jazz'],
    ['I drink coffee all day long.', "I don't drink coffee anymore.", undefined],
    [
      'The wedding is on the 14th of June.',
      "The wedding has moved, it's the 21st of June now, not the 14th.",
      '21st of June',
    ],
    ['My brother Tom works on a salmon farm.', 'Tom has left the salmon farm.', undefined],
    ['My favourite colour is green.', 'My favourite colour is orange.', 'orange'],
    ['I live in Norwich above a bakery.', 'We moved into a house in Ipswich at the weekend.', 'Ipswich'],
    ['I work for Marlow and Finch.', 'Marlow and Finch let me go in February.', undefined],
    ['I have a lodger called Pim.', 'Pim moved out in June.', undefined],
    ["I'm the treasurer of the choir.", 'I stepped down as treasurer of the choir.', undefined],
    ['I use Vim.', "I've switched to Helix from Vim.", 'Helix'],
    ['我和志强结婚五年了。', '去年秋天我和志强离婚了。', undefined],
    ['我和室友小裴一起住。', '小裴六月搬走了。', undefined],
    ['我儿子在榆树路小学上学。', '我儿子转学到育才小学了。', '育才小学'],
    ['我住在武汉，离江边很近。', '我们搬到长沙了，箱子还没拆完。', '长沙'],
    ['我家在成都。', '我家搬到杭州了。', '杭州'],
    ['我在云脉当测试。', '我从云脉辞职了。', undefined],
    ['我在动物园上班。', '我换工作了，现在在水族馆上班。', '水族馆'],
    ['我女朋友叫若琳。', '我们上个月分手了。', undefined],
    ['我的手机是小米。', '我手机从小米换成了华为。', '华为'],
    ['我喝咖啡。', '我把咖啡戒了，心慌。', undefined],
    ['影展十一月八号放映。', '影展改时间了，不是十一月八号，是十一月十五号。', '十一月十五号'],
    ['我妈住在绵阳。', '我妈搬到德阳了。', '德阳'],
    ['我住在北京的公寓里。', '我搬到成都住了。', '成都'],
    ['我住在北京的公寓里。', '我搬去大理住了半年。', '大理'],
  ])('%s | %s', (older, newer, now) => {
    const found = replacedBy(older, newer);
    expect([found?.until, found?.now, found?.by]).toEqual([at('2025-05'), now, 1]);
  });

  it.each([
    ['I live in Leeds.', 'My sister moved to Bristol.'],
    ['I live in Leeds.', "I'm thinking of moving to Bristol."],
    ['I live in Leeds.', 'If we moved to Bristol, would you visit?'],
    ['I live in Leeds.', 'I moved to Derby in 2015.'],
    ['I live in Leeds.', 'We moved to the back of the cinema.'],
    ['I live in Leeds.', 'He said: "I have moved to Bristol."'],
    ['I live in Leeds.', "I've moved to Linux."],
    ['I work at a zoo.', 'I left the zoo at six and missed the bus.'],
    ['I work at Acme.', "I'm at Tesco now, do you need anything."],
    ['My boyfriend is called Owen.', 'Owen and I split the bill.'],
    ['My boyfriend is called Ben.', 'Ben left me a note on the fridge.'],
    ['I run every morning.', 'I no longer run in the rain.'],
    ['My brother Tom works on a salmon farm.', 'My brother Ned has left the navy.'],
    ['I run every morning.', 'I stopped running at the corner to tie my shoe.'],
    ['My doctor is Dr Osei.', 'Dr Osei retired to the kitchen and made tea.'],
    ['I have a lodger called Pim.', 'Pim moved out of the way.'],
    ['I have a lodger called Pim.', 'My neighbour Pam moved out in June.'],
    ['I use Windows.', 'Windows shut down while I typed.'],
    ['My laptop is a ThinkPad.', 'The ThinkPad died on me for a moment, a restart helped.'],
    ['I play in a band called Grey Herons.', 'Grey Herons split up the money evenly.'],
    ['我用的是魅族手机。', '我弟把魅族换成了荣耀。'],
    ['我和室友小裴一起住。', '小陈六月搬走了。'],
    ['我在新华书店上班。', '新华书店六点关门了。'],
    ['我住在昆明。', '我们搬进了教室的角落。'],
    ['I have a sister in Ghent.', 'I have a brother in Antwerp.'],
    ['我住在成都。', '我妹搬到杭州了。'],
    ['我住在成都。', '我要不要搬到杭州？'],
    ['我住在成都。', '去年我差点搬到杭州。'],
    ['我住在成都。', '我们把桌子搬到客厅了。'],
    ['我住在成都。', '他说：“我搬到杭州了。”'],
    ['我在云脉上班。', '我没有从云脉辞职，你放心。'],
    ['我女朋友叫若琳。', '我和若琳分了一个西瓜。'],
    ['我喝咖啡。', '我晚上不喝咖啡。'],
    ['我的房租是两千。', '我的工资涨到两千五了。'],
  ])('is not: %s | %s', (older, newer) => {
    expect(replacedBy(older, newer)).toBeUndefined();
  });

  it('is what the same person said before, and nobody else, and not what came later', () => {
    const moved = "I've moved to Leith.";
    expect(findReplaced([say('I live in Leeds.', '2024-03', 'ben'), say(moved, '2025-05')])).toEqual(new Map());
    expect(findReplaced([say('I live in Leeds.', '2026-01'), say(moved, '2025-05')])).toEqual(
      new Map([[1, expect.objectContaining({ now: 'Leeds', by: 0 })]]),
    );
    expect(findReplaced([say('I live in Leeds.', '2025-05'), say(moved, '2025-05')])).toEqual(new Map());
  });

  it('ends with the first change and tells the last', () => {
    const sayings = [
      say('I live in Leeds.', '2024-01'),
      say('I moved to Bristol.', '2024-11'),
      say('Settled in Cardiff at last.', '2025-10'),
    ];
    const found = findReplaced(sayings);
    expect(found.get(0)).toMatchObject({ until: at('2024-11'), since: 1, now: 'Cardiff', by: 2 });
    expect(found.get(1)).toMatchObject({ until: at('2025-10'), now: 'Cardiff' });
    expect(found.has(2)).toBe(false);
  });

  it('is nothing that is so again', () => {
    const sayings = [
      say('I live in Leeds.', '2024-01'),
      say('I moved to York.', '2024-06'),
      say('I moved back to Leeds.', '2025-01'),
    ];
    const found = findReplaced(sayings);
    expect([found.has(0), found.get(1)?.now]).toEqual([false, 'Leeds']);
  });

  it('reads whatever is said, in any order', () => {
    const word = fc.constantFrom(
      'I',
      'live',
      'in',
      'Leeds',
      'moved',
      'to',
      'no longer',
      'not',
      ',',
      '.',
      '"',
      '我',
      '搬到',
      '成都',
      '了',
      '，',
      '不是',
      '是',
      '从',
      '换成',
      '\n',
      'and',
      '2015',
    );
    const saying = fc.record({
      text: fc.oneof(
        fc.string(),
        fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
      ),
      time: fc.integer({ min: 0, max: 3 }),
      speaker: fc.constantFrom('a', 'b', ''),
    });
    fc.assert(
      fc.property(fc.array(saying, { maxLength: 6 }), (sayings) => {
        for (const [older, { by, until }] of findReplaced(sayings)) {
          expect(sayings[by]?.speaker).toBe(sayings[older]?.speaker);
          expect(until).toBeGreaterThan(sayings[older]?.time ?? 0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
