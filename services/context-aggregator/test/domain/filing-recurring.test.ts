import { describe, expect, it } from '@jest/globals';
import { classifyMemory } from '../../src/domain/stores/classify-memory.ts';

const now = new Date('2026-11-28T16:30:00Z');
const file = (text: string, zone = 'UTC') => classifyMemory({ text }, { now, zone });

describe('filing what happens on a day', () => {
  it.each([
    'On Sunday I always call my mother',
    'Every Monday I swim',
    '每个周日我都给妈妈打电话',
    '我通常周六去看奶奶',
  ])('takes for a note what comes again and again: %s', (text) => expect(file(text)).toEqual({ kind: 'note' }));

  it('takes the day of the user for the day of an event', () => {
    expect(file('I saw the dentist today')).toEqual({ kind: 'event', day: '2026-11-28' });
    expect(file('I saw the dentist today', 'Asia/Shanghai')).toEqual({ kind: 'event', day: '2026-11-29' });
    expect(file('昨天我去看了牙医', 'Asia/Shanghai')).toEqual({ kind: 'event', day: '2026-11-28' });
  });

  it('lets whoever calls say otherwise', () => {
    const searchQuery = { text: 'On Sunday I always call my mother', day: '2026-11-22' };
    expect(classifyMemory(searchQuery, { now, zone: 'UTC' })).toEqual({ kind: 'event', day: '2026-11-22' });
  });
});
