export { type CalendarTime, findCalendarTimes } from './calendar-times.ts';
export * from './find-dates.ts';
export * from './find-instant.ts';
export * from './find-times.ts';
export * from './moment.ts';
export * from './parse-time-range.ts';
export { isRecurring } from './recurring.ts';
export { type TimedText, takeTime } from './take-time.ts';
export { isWithin, type TimeRange, toIsoRange } from './time-range.ts';
