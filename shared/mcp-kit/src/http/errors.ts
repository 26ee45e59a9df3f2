import { ContextloomError, type ErrorCode, isContextloomError } from '@contextloom/contracts';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import type { Log } from '../log.ts';

/** The HTTP status of each error code: total over all codes. */
const statuses: Readonly<Record<ErrorCode, number>> = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  timeout: 504,
  unavailable: 503,
  no_space: 507,
  internal: 500,
};

/** The HTTP status that an error code is answered with. */
export function statusOf(code: ErrorCode): number {
  return statuses[code];
}

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

/** Ends an app: unknown routes answer 404, and every error becomes `{success:false, error:{code,message}, detail}`. */
export function addErrorHandling(app: Express, { log }: { readonly log: Log }): void {
  const unknownRoute: RequestHandler = (request, _response, next) => {
    next(new ContextloomError('not_found', `there is no ${request.method} ${request.path}`));
  };
  const answerError: ErrorRequestHandler = (thrown, request, response, next) => {
    const error = toContextloomError(thrown);
    const status = statusOf(error.code);
    if (status >= 500) log.error({ path: request.path, code: error.code, cause: error.cause ?? error }, error.message);
    if (response.headersSent) return next(thrown);
    const { code, message, field } = error;
    response.status(status).json({
      success: false,
      error: { code, message, ...(field !== undefined && { field }) },
      detail: message,
    });
  };
  app.use(unknownRoute);
  app.use(answerError);
}
