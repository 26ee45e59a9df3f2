import { expect, it } from '@jest/globals';
import { isTimeZone } from '../src/values/time-zone.ts';

it('isTimeZone knows the names of zones', () => {
  expect(['UTC', 'Asia/Shanghai', 'Europe/Vienna'].every(isTimeZone)).toBe(true);
  expect(['', 'Mars/Base', '+25:00'].some(isTimeZone)).toBe(false);
});
