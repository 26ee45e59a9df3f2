import { type DestinationStream, destination, type Level, pino } from 'pino';

/** A structured log: fields first, then a sentence. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The levels that `LOG_LEVEL` may name. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** One of {@link logLevels}. */
export type LogLevel = (typeof logLevels)[number];

/** What a log needs to know. */
export interface LogOptions {
  readonly name: string;
  readonly level?: LogLevel;
  /** Where lines go; standard error by default, since standard output belongs to JSON-RPC. */
  readonly stream?: DestinationStream;
}

/** Builds a log that writes one JSON object a line. */
export function createLog({ name, level = 'info', stream = destination({ dest: 2, sync: true }) }: LogOptions): Log {
  return pino({ name, level: level as Level, serializers: { cause: pino.stdSerializers.err } }, stream);
}

const nothing = (): void => undefined;
/** A log that keeps nothing, for tests and libraries. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
