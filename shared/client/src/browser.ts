import { ContextloomClient } from './contextloom.ts';
import { createLink } from './link/create-link.ts';
import { toHttp } from './link/http.ts';
import type { HttpOptions } from './options.ts';

export { ContextloomError, type ErrorCode, isContextloomError } from '@contextloom/contracts/errors';
export type { ContextloomClient, Fields, Input, OperationName, Output, RawAnswer, RawOptions } from './contextloom.ts';
export type { Operations } from './operations/index.ts';
export type { CallOptions, ClientOptions, HttpOptions, Progress } from './options.ts';

/** A client of an aggregator at an address. Nothing is sent before the first call. */
export class Contextloom extends ContextloomClient {
  constructor(options: HttpOptions) {
    super(options, createLink({ open: toHttp(options), mode: 'auto' }));
  }
}
