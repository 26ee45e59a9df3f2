/** The calendar day of a moment (ISO 8601) in a time zone, `YYYY-MM-DD`. */
export function toDay(moment: string, zone: string): string {
  // The Swedish way of writing a date is that of ISO 8601.
  return new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' }).format(new Date(moment));
}
