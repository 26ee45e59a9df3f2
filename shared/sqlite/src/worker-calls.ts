import { ContextloomError, type ErrorCode, isContextloomError } from '@contextloom/contracts';

/** What a worker thread can be asked, by name; arguments and answers are plain data, which messages copy. */
export type WorkerMethods<Methods> = { readonly [Name in keyof Methods]: (...args: never[]) => unknown };

/** A call on its way to a worker. */
export interface CallMessage {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly unknown[];
}

/** What is sent to a worker: a call, or the word to end. */
export type WorkerMessage = CallMessage | { readonly kind: 'end' };

/** An error as a message carries it. */
interface ErrorMessage {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field: string | undefined;
  readonly cause: unknown;
}

/** What a worker answers to a call. */
export type AnswerMessage =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: ErrorMessage };

/** Messages copy the text of an error and no more; any other value may hold what cannot be copied. */
function toCause(cause: unknown): unknown {
  return cause === undefined || cause instanceof Error ? cause : String(cause);
}

/** An error that a call threw, as a message; one that is not the product's own becomes the cause of an `internal` one. */
export function toErrorMessage(error: unknown): ErrorMessage {
  if (isContextloomError(error)) {
    const { code, message, field, cause } = error;
    return { code, message, field, cause: toCause(cause) };
  }
  return { code: 'internal', message: 'reading the store failed', field: undefined, cause: toCause(error) };
}

/** The error that a message carries. */
export function toError({ code, message, field, cause }: ErrorMessage): ContextloomError {
  return new ContextloomError(code, message, { ...(field !== undefined && { field }), cause });
}
