import { STATUS_CODES } from 'node:http';
import type { ContextloomError, ErrorCode } from '@contextloom/contracts';
import { type ErrorFormat, statusOf } from '@contextloom/server-kit';
import { z } from 'zod';

/** Clients of this API take 400 for a value that is not allowed. */
const toStatus = (code: ErrorCode): number => (code === 'invalid' ? 400 : statusOf(code));

const toCode = ({ code, field }: ContextloomError): string =>
  code === 'forbidden' && field === 'owner_id' ? 'ERR_OWNER_MISMATCH' : `ERR_${code.toUpperCase()}`;

/** How this API answers errors: `{error, message, code, timestamp}`. */
export function createErrorFormat(clock: () => Date): ErrorFormat {
  return {
    schema: z.object({
      error: z.string().describe("The status' name."),
      message: z.string(),
      code: z.string().describe('Such as ERR_INVALID or ERR_OWNER_MISMATCH.'),
      timestamp: z.string().describe('ISO 8601.'),
    }),
    statusOf: toStatus,
    toBody: (error) => ({
      error: STATUS_CODES[toStatus(error.code)] ?? 'Error',
      message: error.message,
      code: toCode(error),
      timestamp: clock().toISOString(),
    }),
  };
}
