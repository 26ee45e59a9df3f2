import { ContextloomError, type ErrorCode, errorCodes, isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { z } from 'zod';

/** The HTTP status of each error code, and what the API reference says of it: total over all codes. */
const statuses: Readonly<Record<ErrorCode, readonly [status: number, meaning: string]>> = {
  malformed: [400, 'The request cannot be read.'],
  unauthorized: [401, 'The token is missing or wrong.'],
  forbidden: [403, 'The caller may not do this.'],
  not_found: [404, 'There is no such thing.'],
  conflict: [409, 'It contradicts what is there.'],
  precondition_failed: [412, 'It is not at the version that If-Match names.'],
  too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'The Content-Type is not application/json in UTF-8.'],
  invalid: [422, 'A value is not allowed; the message names the field.'],
  rate_limited: [429, 'Too many requests.'],
  timeout: [504, 'Something that the service needs did not answer in time.'],
  unavailable: [503, 'Something that the service needs cannot be used.'],
  no_space: [507, 'The disk is full.'],
  internal: [500, 'The service failed; its log says why.'],
};

/** The HTTP status that an error code is answered with. */
export function statusOf(code: ErrorCode): number {
  return statuses[code][0];
}

/** What an error code means, in one sentence. */
export function meaningOf(code: ErrorCode): string {
  return statuses[code][1];
}

/** How a service answers errors. */
export interface ErrorFormat {
  /** The body, for the API reference. */
  readonly schema: z.ZodObject;
  readonly statusOf: (code: ErrorCode) => number;
  readonly toBody: (error: ContextloomError) => object;
}

/** How every service answers errors, unless its own clients expect another form. */
export const houseErrors: ErrorFormat = {
  schema: z.object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      field: z.string().optional().describe('The input that is wrong.'),
    }),
    detail: z.string().describe('The message again.'),
  }),
  statusOf,
  toBody: ({ code, message, field }) => ({
    success: false,
    error: { code, message, ...(field !== undefined && { field }) },
    detail: message,
  }),
};

/** The errors that express's body parser raises, by its `type` property. */
const bodyErrors: Readonly<Record<string, ContextloomError>> = {
  'entity.parse.failed': new ContextloomError('malformed', 'the body is not valid JSON'),
  'entity.too.large': new ContextloomError('too_large', 'the body must be at most 16 MiB'),
  'encoding.unsupported': new ContextloomError('unsupported_media_type', 'the content encoding is not supported'),
  'charset.unsupported': new ContextloomError('unsupported_media_type', 'the charset must be UTF-8'),
  'request.size.invalid': new ContextloomError('malformed', 'the body does not have the length that the header names'),
  'request.aborted': new ContextloomError('malformed', 'the request ended before its body did'),
};

/** Whether the body parser blames the request, as for a body that is not the gzip it says it is; such errors have no type. */
function isRequestError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'expose' in error && error.expose === true;
}

function toContextloomError(error: unknown): ContextloomError {
  if (isContextloomError(error)) return error;
  const type = typeof error === 'object' && error !== null && 'type' in error ? String(error.type) : '';
  if (error instanceof URIError)
    return new ContextloomError('malformed', 'the path is not valid percent-encoded UTF-8');
  const known = bodyErrors[type];
  if (known !== undefined) return known;
  if (isRequestError(error)) return new ContextloomError('malformed', 'the body cannot be read', { cause: error });
  return new ContextloomError('internal', 'the server failed; its log says why', { cause: error });
}

/** What the end of an app needs to know. */
export interface ErrorHandlingOptions {
  readonly log: Log;
  readonly errors?: ErrorFormat;
}

/** Ends an app: unknown routes answer 404, and every error becomes an answer in the service's form. */
export function addErrorHandling(app: Express, { log, errors = houseErrors }: ErrorHandlingOptions): void {
  const unknownRoute: RequestHandler = (request, _response, next) => {
    next(new ContextloomError('not_found', `there is no ${request.method} ${request.path}`));
  };
  const answerError: ErrorRequestHandler = (thrown, request, response, next) => {
    const error = toContextloomError(thrown);
    const status = errors.statusOf(error.code);
    if (status >= 500) log.error({ path: request.path, code: error.code, cause: error.cause ?? error }, error.message);
    if (response.headersSent) return next(thrown);
    response.status(status).json(errors.toBody(error));
  };
  app.use(unknownRoute);
  app.use(answerError);
}
