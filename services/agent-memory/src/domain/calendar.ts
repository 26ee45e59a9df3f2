/** Days and times in the zone whose "today" counts. */
export interface Calendar {
  /** A time as the day and `HH:MM` of the zone. */
  readonly toLocal: (time: Date) => { readonly date: string; readonly time: string };
  /** The moment that a day and `HH:MM[:SS]` (midnight when absent) are in the zone, ISO 8601 UTC. */
  readonly toInstant: (date: string, time: string | undefined) => string;
  /** The day some days before another. */
  readonly daysBefore: (date: string, days: number) => string;
}
