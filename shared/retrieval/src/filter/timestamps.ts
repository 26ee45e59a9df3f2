const pattern =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[Tt ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?<zone>[Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

const MS_PER_MINUTE = 60_000;

/** The offset of a zone such as `Z`, `+08`, `+0800` or `-05:30` in minutes; no zone is UTC. */
function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (60 * hours + minutes);
}

/**
 * Reads an ISO 8601 timestamp (a date, with a time and a zone if wanted; no zone means UTC) as epoch milliseconds, parts of
 * a millisecond included; `undefined` for any other text, and for days and hours that do not exist.
 */
export function parseTimestamp(text: string): number | undefined {
  const parts = pattern.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const [year, month, day] = [Number(parts['year']), Number(parts['month']), Number(parts['day'])];
  const [hour, minute, second] = [
    Number(parts['hour'] ?? 0),
    Number(parts['minute'] ?? 0),
    Number(parts['second'] ?? 0),
  ];
  const offset = offsetMinutes(parts['zone']);
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day past the end of its month would have rolled over into the next.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const fraction = Number(`0.${parts['fraction'] ?? 0}`) * 1_000;
  return date.setUTCHours(hour, minute, second) + fraction - offset * MS_PER_MINUTE;
}
