import { DateTime } from 'luxon';
import type { Calendar } from '../../domain/ports/memory-ports.ts';

/** Builds the calendar of a time zone, such as `Asia/Shanghai`. */
export function createZoneCalendar(zone: string): Calendar {
  return {
    toLocal: (time) => {
      const local = DateTime.fromJSDate(time, { zone });
      return { date: local.toFormat('yyyy-MM-dd'), time: local.toFormat('HH:mm') };
    },
    // An hour that the clocks skip is read as the one after it.
    toInstant: (date, time = '00:00') => DateTime.fromISO(`${date}T${time}`, { zone }).toJSDate().toISOString(),
    daysBefore: (date, days) => DateTime.fromISO(date, { zone: 'utc' }).minus({ days }).toFormat('yyyy-MM-dd'),
  };
}
