import { expect, it } from '@jest/globals';
import { proposeType } from '../../src/domain/categorize.ts';

it.each([
  ['我叫小雨', 'core'],
  ['I like jazz', 'core'],
  ['我的手机号是13800138000', 'core'],
  ['我喜欢昨天的电影', 'core'],
  ['昨天和陈老师吃了火锅', 'episodic'],
  ['Bo visited us yesterday', 'episodic'],
  ['下周三要去体检', 'episodic'],
  ['明天下午3点和王医生见面', 'episodic'],
  ['2026-12-01 下午3点体检', 'episodic'],
  ['I see the dentist next Wednesday at 3pm', 'episodic'],
  ['Flight to Porto on 3 June 2027', 'episodic'],
  ['我喜欢明天的安排', 'core'],
  ['光合作用是植物制造养分的过程', 'semantic'],
  ['Paris is the capital of France', 'semantic'],
  ['1. 洗米 2. 加水 3. 煮饭', 'procedural'],
  ['How to bake bread: mix, knead, bake', 'procedural'],
  ['Shopping: milk; eggs; bread', 'semantic'],
  ['https://example.com/a.pdf', 'resource'],
  ['x'.repeat(5_000), 'resource'],
  ['my password is hunter2-Delta!', 'knowledge_vault'],
  ['wifi密码是 abc12345', 'knowledge_vault'],
  ['身份证号 110101199003074578', 'knowledge_vault'],
  ['信用卡号 6222020200112233445', 'knowledge_vault'],
])('%j seems to be %s', (text, type) => {
  expect(proposeType(text)).toMatchObject({ type });
});

it.each([
  ['1. 洗米 2. 加水 3. 煮饭', true],
  ['https://example.com/a.pdf', true],
  ['my password is hunter2-Delta!', true],
  ['昨天和陈老师吃了火锅', true],
  ['我昨天搬家了，我喜欢新家', false],
  ['I like jazz', false],
  ['Paris is the capital of France', false],
])('is sure of %j: %s', (text, isSure) => {
  expect(proposeType(text).isSure).toBe(isSure);
});
