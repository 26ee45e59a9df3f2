import { z } from 'zod';
import { ContextloomError, errorCodes } from './errors.ts';

/** Longest message of a failure that crosses a process border, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 2_000;
/** One line: the message of a failure must not look like anything else to its reader. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}\u2028\u2029]+$/u;
const oneLine = z.string().max(MAX_MESSAGE_LENGTH).regex(ONE_LINE);

/** A failure as one of our servers tells it to another: everything of a {@link ContextloomError} but its cause. */
export const failureSchema = z.object({ code: z.enum(errorCodes), message: oneLine, field: oneLine.optional() });
/** A failure as one of our servers tells it to another. */
export type Failure = Readonly<z.output<typeof failureSchema>>;

/** The body of an HTTP answer that tells of a failure. */
export const failureBodySchema = z.object({ success: z.literal(false), error: failureSchema, detail: z.string() });

/** A failure on one line, as it crosses a process border. */
export function toReportedFailure({ code, message, field }: ContextloomError): Failure {
  const cut = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').slice(0, MAX_MESSAGE_LENGTH);
  return { code, message: cut(message), ...(field !== undefined && field !== '' && { field: cut(field) }) };
}

/** The error that a failure reported. */
export function fromReportedFailure({ code, message, field }: Failure): ContextloomError {
  return new ContextloomError(code, message, field === undefined ? {} : { field });
}
