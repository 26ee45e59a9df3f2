import { ContextloomClient } from './contextloom.ts';
import { createLink, type LinkOptions } from './link/create-link.ts';
import { toHttp } from './link/http.ts';
import { toStdio } from './node/stdio.ts';
import type { HttpOptions, StdioOptions } from './options.ts';

export { ContextloomError, type ErrorCode, isContextloomError } from '@contextloom/contracts/errors';
export type { ContextloomClient, Fields, Input, OperationName, Output, RawAnswer, RawOptions } from './contextloom.ts';
export type { Operations } from './operations/index.ts';
export type { CallOptions, ClientOptions, HttpOptions, Progress, StdioOptions } from './options.ts';

/** A client of an aggregator at an address, or of one that it starts itself. Nothing is sent or started before the first call. */
export class Contextloom extends ContextloomClient {
  constructor(options: HttpOptions | StdioOptions) {
    const link: LinkOptions =
      'url' in options ? { open: toHttp(options), mode: 'auto' } : { open: toStdio(options), mode: 'legacy' };
    super(options, createLink(link));
  }
}
