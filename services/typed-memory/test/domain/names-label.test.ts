import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLabelTest } from '../../src/domain/vault/names-label.ts';

const labels = [
  'password of the mailbox',
  'PIN of my bank card',
  'the wifi at the office',
  'Gate code',
  '办公室无线网络',
  '家里的门禁密码',
  '建设银行卡取款密码',
  'Vault item of 2026-03-11',
];

describe('a question', () => {
  it.each([
    ['what is the password of the mailbox?', 'password of the mailbox'],
    ['mailbox password', 'password of the mailbox'],
    ['Please tell me the PIN of my bank cards', 'PIN of my bank card'],
    ['office wifi', 'the wifi at the office'],
    ['What’s the code for the gate?', 'Gate code'],
    ['办公室的无线网络密码是什么？', '办公室无线网络'],
    ['辦公室無線網絡', '办公室无线网络'],
    ['请问家里的门禁密码是多少', '家里的门禁密码'],
    ['门禁', '码头门禁'],
    ['Vault item of 2026-03-11', 'Vault item of 2026-03-11'],
  ])('%j names %j', (question, label) => {
    expect(createLabelTest(question)(label)).toBe(true);
  });

  it.each([
    ['what is the weather', 'password of the mailbox'],
    ['the', 'PIN of the bank'],
    ['of the', 'password of the mailbox'],
    ['', 'password of the mailbox'],
    ['?!', 'password of the mailbox'],
    ['bank password', 'password of the mailbox'],
    ['which bank has good opening hours', 'PIN of my bank card'],
    ['bank bank bank weather', 'PIN of my bank card'],
    ['今天天气怎么样', '家里的门禁密码'],
    ['的', '家里的门禁密码'],
    ['门在哪里', '家里的门禁密码'],
    ['银行几点关门', '建设银行卡取款密码'],
    ['what is in the vault', 'Vault item of 2026-03-11'],
    ['2026', 'Vault item of 2026-03-11'],
    ['mailbox '.repeat(200), 'password of the mailbox'],
  ])('%j does not name %j', (question, label) => {
    expect(createLabelTest(question)(label)).toBe(false);
  });
});

const english =
  'weather train dinner garden holiday cinema doctor holiday summer guitar window letter market bicycle ticket birthday recipe kitchen teacher morning river island coffee museum hospital football music story winter shower neighbour paint planet jacket breakfast flower airport salad mountain concert'.split(
    ' ',
  );
const chinese =
  '天气 火车 晚饭 花园 假期 电影 医生 夏天 吉他 窗户 信件 市场 自行车 车票 生日 菜谱 厨房 老师 早晨 河流 咖啡 博物馆 医院 足球 音乐 故事 冬天 邻居 星球 外套 早餐 机场 沙拉 高山 音乐会'.split(
    ' ',
  );
const asking = [
  'what is the',
  'tell me about the',
  'the',
  'where is my',
  'how do I find a',
  '',
  '今天的',
  '请问',
  '我想知道',
  '哪里有',
];
const fromLabels = [
  'password',
  'mailbox',
  'bank',
  'PIN',
  'card',
  'office',
  'gate',
  'code',
  '密码',
  '门禁',
  '银行',
  '办公室',
  'vault',
  'item',
];

it('of two thousand about other things none reveals anything', () => {
  const other = fc.constantFrom(...english, ...chinese);
  const question = fc
    .record({
      ask: fc.constantFrom(...asking),
      others: fc.uniqueArray(other, { minLength: 1, maxLength: 5 }),
      named: fc.constantFrom(undefined, undefined, ...fromLabels),
      end: fc.constantFrom('', '?', '？', '吗'),
    })
    .map(({ ask, others, named, end }) => `${[ask, ...others, named ?? ''].join(' ')}${end}`);
  fc.assert(
    fc.property(question, (text) => !labels.some(createLabelTest(text))),
    { numRuns: 2_000, seed: 20_261_122 },
  );
});
