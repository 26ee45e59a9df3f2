import { describe, expect, it } from '@jest/globals';
import { isRecurring } from '../../src/time/recurring.ts';

const recurring = [
  'On Sunday I always call my mother',
  'Every Monday I swim',
  'I go to the gym every other Tuesday evening',
  'I usually visit my aunt on Saturday',
  'Each year in May we go to Crete',
  'On Fridays we order pizza',
  'I take the pills twice a day',
  'We meet on Thursday mornings',
  'On Sunday I never work',
  'My rent is due every month on the 3rd',
  'On weekends I sleep until ten',
  '每个周日我都给妈妈打电话',
  '周日我总是给妈妈打电话',
  '我每天早上跑步',
  '每周三晚上我上法语课',
  '我通常周六去看奶奶',
  '逢周五我们吃火锅',
  '我平时星期天不上班',
  '每年五月我们去海边',
];

const once = [
  'Yesterday I saw the dentist',
  'On Sunday I called my mother',
  'I moved to Leith last Monday',
  'I have a dentist appointment next Tuesday at 3pm',
  'We had our weekly meeting yesterday',
  'On 5 May 2026 I met the director, whom I usually avoid',
  'Yesterday I never saw him',
  'The exam is on Monday',
  'We are in Oban from Friday to Sunday',
  '昨天我去看了牙医',
  '周日我给妈妈打了电话',
  '上周一我搬到了上海',
  '下周二下午三点我要看牙医',
  '5月5日我见了平时很少见的老师',
  '明天我一般不在家，但这次在',
];

describe('what happens again and again', () => {
  it.each(recurring)('is told by: %s', (text) => expect(isRecurring(text)).toBe(true));
  it.each(once)('is not told by: %s', (text) => expect(isRecurring(text)).toBe(false));
});
