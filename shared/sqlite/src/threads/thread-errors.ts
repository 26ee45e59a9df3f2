import { ContextloomError, type ErrorCode, isContextloomError } from '@contextloom/contracts';

/** An error in a message between threads. */
export interface ErrorMessage {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field: string | undefined;
  readonly cause: unknown;
}

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
