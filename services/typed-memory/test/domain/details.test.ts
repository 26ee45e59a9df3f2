import { memoryTypes } from '@contextloom/contracts/typed-memory';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findConcept, findEventTime, findResource, toCoreKey, toDetails } from '../../src/domain/details.ts';
import { today } from '../support/service.ts';

const told = { now: today, zone: 'UTC' };

describe('a core fact', () => {
  it.each([
    ['My name is Ann', 'name'],
    ['我的名字叫小雨', 'name'],
    ['用户叫小林', 'name'],
    ['The user is called Bo', 'name'],
    ["The user's name is Bo", 'name'],
    ['I live in Berlin', 'city'],
    ['I moved to Porto', 'city'],
    ['用户搬到了成都', 'city'],
    ['I am 33 years old', 'age'],
    ['我今年33岁', 'age'],
    ['邮箱：a@b.c', 'email'],
    ['我的公司：字节跳动', 'employer'],
    ['时区：Asia/Shanghai', 'time zone'],
    ['Favourite pier: the north one', 'favourite pier'],
    ['我喜欢喝龙井茶', 'liking of 龙井茶'],
    ['我不喜欢喝龙井茶了', 'liking of 龙井茶'],
    ['我再也不喝龙井茶了', 'liking of 龙井茶'],
    ['用户现在特别讨厌龙井茶。', 'liking of 龙井茶'],
    ['I like green tea', 'liking of green tea'],
    ["I don't like drinking green tea any more.", 'liking of green tea'],
    ['The user no longer likes the opera', 'liking of opera'],
    ['I hate Mondays', 'liking of mondays'],
  ])('%j takes the place of another %s', (text, key) => {
    expect(toCoreKey(text)).toBe(key);
  });

  it.each([
    'I have a cat',
    'I like tea, but not in the evening',
    '我叫不动他',
    '我叫了外卖',
    'I live in fear',
    'My job is killing me',
    'My phone is broken',
    '我住在医院三天了',
    '我在家工作',
    "My dog's name is Rex",
    '我的猫叫小白',
    '12:30 lunch with Bo',
    'https://example.com/a',
    'I live in Berlin, and my cat is called Momo',
    'Plan: buy a boat. Then sail.',
  ])('%j stands next to others', (text) => {
    expect(toCoreKey(text)).toBeUndefined();
  });
});

describe('an event', () => {
  it.each([
    ['昨天在码头看到了海豚', undefined, '2026-03-10'],
    ['上周三和陈老师吃了火锅', undefined, '2026-03-04'],
    ['On 5 May 2025 I met Bo', undefined, '2025-05-05'],
    ['2024年5月3日，第一次出海', undefined, '2024-05-03'],
    ['We saw dolphins', 'two days ago at the pier', '2026-03-09'],
    ['我们看到了海豚', '前天', '2026-03-09'],
  ])('%j in the context %j was on %s', (text, context, day) => {
    expect(findEventTime(text, context, told).slice(0, 10)).toBe(day);
  });

  it.each([
    ['下周三要去体检', 'UTC', '2026-03-18T00:00'],
    ['2026-12-01 下午3点', 'UTC', '2026-12-01T15:00'],
    ['2026-12-01 下午3点', 'Asia/Shanghai', '2026-12-01T07:00'],
    ['I see the dentist tomorrow at 3pm', 'Europe/Berlin', '2026-03-12T14:00'],
  ])('%j in the zone %s is at %s', (text, zone, moment) => {
    expect(findEventTime(text, undefined, { now: today, zone })).toBe(`${moment}:00.000Z`);
  });

  it('without a time was when it was told', () => {
    expect(findEventTime('We saw dolphins', undefined, told)).toBe(today.toISOString());
  });
});

describe('knowledge', () => {
  it.each([
    ['HTTP is a protocol', 'HTTP', 'a protocol'],
    ['TCP: a transport protocol', 'TCP', 'a transport protocol'],
    ['REST stands for representational state transfer', 'REST', 'representational state transfer'],
    ['海豚是一种用肺呼吸的哺乳动物', '海豚', '用肺呼吸的哺乳动物'],
    ['量子纠缠指的是两个粒子的关联', '量子纠缠', '两个粒子的关联'],
  ])('%j is a concept and its definition', (text, concept, definition) => {
    expect(findConcept(text)).toEqual({ concept, definition });
  });

  it.each([
    'He is tired',
    'What is HTTP?',
    '今天是星期三',
    '他是谁',
    'https://example.com/a',
    '10:30 is the time',
    'tea',
  ])('%j defines nothing', (text) => {
    expect(findConcept(text)).toBeUndefined();
  });

  it('has its context for a concept where the text names none', () => {
    expect(toDetails('semantic', 'It takes forty minutes', 'ferry')).toEqual({ concept: 'ferry' });
  });
});

describe('a procedure', () => {
  it.each([
    ['1. 洗米 2. 加水 3. 煮饭', ['洗米', '加水', '煮饭']],
    ['第一步：切菜\n第二步：炒菜', ['切菜', '炒菜']],
    ['先洗米，然后加水，最后煮饭', ['洗米', '加水', '煮饭']],
    ['①洗 ②切 ③炒', ['洗', '切', '炒']],
    ['First untie, then start the engine, finally push off', ['untie', 'start the engine', 'push off']],
    ['Deploy: build -> test -> ship', ['build', 'test', 'ship']],
    ['Step 1: boil water Step 2: add tea', ['boil water', 'add tea']],
    ['Make tea: boil water; add the leaves; wait', ['boil water', 'add the leaves', 'wait']],
    ['- untie\n- push off', ['untie', 'push off']],
  ])('%j has its steps in order', (text, steps) => {
    expect(toDetails('procedural', text, undefined)).toEqual({ steps });
  });

  it.each(['Bleed the radiator', 'Version 1.2 and 3.4 are out', '先生来了'])('%j is no list of steps', (text) => {
    expect(toDetails('procedural', text, undefined)).toEqual({});
  });
});

describe('a resource', () => {
  it.each([
    ['https://example.com/a.pdf', undefined, { kind: 'document', location: 'https://example.com/a.pdf' }],
    ['# Handbook\nsee ./docs/a.md', undefined, { title: 'Handbook', kind: 'document', location: './docs/a.md' }],
    ['季度报告.xlsx 在共享盘', '财务', { title: '财务', kind: 'document', location: '季度报告.xlsx' }],
    ['the plan is at /srv/data/x.png', 'plan', { title: 'plan', kind: 'image', location: '/srv/data/x.png' }],
    ['see https://example.com/wiki', 'wiki', { title: 'wiki', kind: 'link', location: 'https://example.com/wiki' }],
    ['C:\\docs\\a.ts', undefined, { kind: 'code', location: 'C:\\docs\\a.ts' }],
    ['a long text', 'Notes', { title: 'Notes', kind: 'text' }],
  ])('%j in the context %j has a title, a kind and a location', (text, context, details) => {
    expect(findResource(text, context)).toMatchObject(details);
  });
});

it('reads any text as any type in reasonable time', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.array(fc.constantFrom('是', ': ', '1. ', 'then ', '，', '.', '/', 'a', ' ', '先', 'is ', '->'), {
      maxLength: 200,
    }),
  );
  fc.assert(
    fc.property(text, fc.constantFrom(...memoryTypes), (given, type) => {
      const content = typeof given === 'string' ? given : given.join('');
      const { steps = ['x'] } = toDetails(type, content, undefined);
      expect(steps.every((step) => step.trim() !== '')).toBe(true);
      toCoreKey(content);
      expect(findEventTime(content, undefined, told)).toMatch(/^[+-]?\d{4,6}-\d\d-\d\dT/u);
    }),
    { numRuns: 150 },
  );
});
