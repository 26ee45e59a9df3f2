import { z } from 'zod';
import { toPlainLine } from '../output/text/plain.ts';

const logLineSchema = z.object({ level: z.number(), msg: z.string() });

/** Levels of the services' logs (pino's numbers) from which a line concerns the user. */
const WARNING = 40;
const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};

/** One line that a service wrote to standard error, read. */
export interface LogLine {
  readonly text: string;
  /** Whether it is a warning or worse; what is not in the log's format counts as such. */
  readonly matters: boolean;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // A line outside the log's format, such as a crash report of Node: shown as it is.
  }
}

/** Reads a line of a service's standard error: the log's JSON becomes "warning: sentence", other text stays. */
export function parseLogLine(line: string): LogLine {
  const parsed = logLineSchema.safeParse(parseJson(line));
  if (!parsed.success) return { text: toPlainLine(line), matters: true };
  const { level, msg } = parsed.data;
  return { text: `${levels[level] ?? level}: ${toPlainLine(msg)}`, matters: level >= WARNING };
}

/** The lines of a crash report that do not say what was wrong: stack frames, the marker under the code, Node's version. */
const CRASH_NOISE = /^(?:at |\^|Node\.js v|\}|$)/;

/** Whether a line of a service's standard error may say why it ended. */
export function tellsCause({ text, matters }: LogLine): boolean {
  return matters && !CRASH_NOISE.test(text);
}

/** The last line of what a service wrote to standard error that may say why it ended. */
export function findCause(written: string): string | undefined {
  return written.split('\n').map(parseLogLine).findLast(tellsCause)?.text;
}
