/** Whether a text is the name of a time zone, such as `UTC` or `Asia/Shanghai` (IANA). */
export function isTimeZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en-US', { timeZone: name }).format() !== '';
  } catch {
    return false; // Intl throws for the names that it does not know.
  }
}
