import { z } from 'zod';

const dateFigures = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a text is a day of the calendar, such as `2026-02-14`. */
export function isDate(text: string): boolean {
  if (!dateFigures.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** A day as callers name it. */
export const dateSchema = z.string().refine(isDate, 'must be a day such as 2026-02-14');
