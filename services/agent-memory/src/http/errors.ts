import { type ErrorCode, errorCodes } from '@contextloom/contracts';
import { type ErrorFormat, statusOf } from '@contextloom/server-kit';
import { z } from 'zod';

/** What a caller can do, where the message does not say it. */
const suggestions: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: 'List entries to see what there is; ids never change.',
  conflict: 'Try again; if it stays, look at the file.',
  invalid: 'Look the field up in /docs.',
  malformed: 'Send JSON, as /docs shows it.',
  unavailable: 'Try again later; the log of the server says why.',
};

/** Errors as `{code, message, details?, suggestion?}`. */
export const memoryErrors: ErrorFormat = {
  schema: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    details: z.object({ field: z.string() }).optional().describe('The input that is wrong.'),
    suggestion: z.string().optional(),
  }),
  statusOf,
  toBody: ({ code, message, field }) => ({
    code,
    message,
    ...(field !== undefined && field !== '' && { details: { field } }),
    ...(suggestions[code] !== undefined && { suggestion: suggestions[code] }),
  }),
};
