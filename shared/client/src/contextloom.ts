import { ContextloomError } from '@contextloom/contracts/errors';
import { mayRepeat, toError } from './link/failure.ts';
import type { Link, ToolAnswer } from './link/link.ts';
import { withRetries } from './link/retry.ts';
import { type Operations, operationTraits } from './operations/index.ts';
import type { CallOptions, ClientOptions } from './options.ts';

/** The name of an operation of the aggregator. */
export type OperationName = keyof Operations;
/** The arguments of an operation. */
export type Input<Name extends OperationName> = Operations[Name]['input'];
/** The answer of an operation. */
export type Output<Name extends OperationName> = Operations[Name]['output'];
/** The arguments of an operation but for those that a method takes by themselves. */
export type Fields<Name extends OperationName, Taken extends string> = Omit<Input<Name>, Taken>;

/** How any tool is called. */
export interface RawOptions extends CallOptions {
  /** Whether the same call again changes nothing more; known of the aggregator's own operations, false for others. */
  readonly isIdempotent?: boolean | undefined;
}

/** The answer of any tool: its data typed where the tool is an operation of the aggregator. */
export interface RawAnswer<Structured = unknown> {
  readonly text: string;
  readonly structured: Structured;
}

/** A prompt has sources with deadlines of their own; a conversation is read by a model. */
const TIMEOUT_MS = 60_000;
const STORE_TIMEOUT_MS = 600_000;
const RETRIES = 2;

const isOperation = (name: string): name is OperationName => Object.hasOwn(operationTraits, name);

/**
 * The memory of an application's users. Arguments and answers are those of the operations, by the names they have on the wire.
 * Every method rejects with a `ContextloomError` whose `code` says what happened, or with the reason of an aborted signal.
 */
export abstract class ContextloomClient {
  readonly #link: Link;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions, link: Link) {
    this.#options = options;
    this.#link = link;
  }

  /** Composes the system prompt of a persona with what is remembered of the user. */
  prompt(
    fields: Input<'build_prompt_with_context'>,
    options?: CallOptions,
  ): Promise<Output<'build_prompt_with_context'>> {
    return this.#operate('build_prompt_with_context', fields, options);
  }

  /** Stores one thing worth keeping: one sentence that makes sense by itself. */
  remember(text: string, fields: Fields<'remember', 'text'> = {}, options?: CallOptions): Promise<Output<'remember'>> {
    return this.#operate('remember', { ...fields, text }, options);
  }

  /** Finds what is remembered in every store, best first. */
  recall(query: string, fields: Fields<'recall', 'query'> = {}, options?: CallOptions): Promise<Output<'recall'>> {
    return this.#operate('recall', { ...fields, query }, options);
  }

  /** Replaces what one memory says; of a fact, its value. */
  update(
    id: string,
    text: string,
    fields: Fields<'update_memory', 'id' | 'text'> = {},
    options?: CallOptions,
  ): Promise<Output<'update_memory'>> {
    return this.#operate('update_memory', { ...fields, id, text }, options);
  }

  /** Reads one memory whole, with what its store says of it, such as metadata and earlier versions. */
  get(id: string, fields: Fields<'get_memory', 'id'> = {}, options?: CallOptions): Promise<Output<'get_memory'>> {
    return this.#operate('get_memory', { ...fields, id }, options);
  }

  /** Deletes one memory for good. */
  forget(id: string, fields: Fields<'forget', 'id'> = {}, options?: CallOptions): Promise<Output<'forget'>> {
    return this.#operate('forget', { ...fields, id }, options);
  }

  /** Lists all that is remembered, store by store, newest first in each. */
  list(fields: Input<'list_memories'> = {}, options?: CallOptions): Promise<Output<'list_memories'>> {
    return this.#operate('list_memories', fields, options);
  }

  /** Turns a conversation into memories; the same one again adds nothing, a longer version of it what is new. */
  store(
    conversation: Input<'store_conversation_memory'>['conversation_history'],
    fields: Fields<'store_conversation_memory', 'conversation_history'> = {},
    options: CallOptions = {},
  ): Promise<Output<'store_conversation_memory'>> {
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? STORE_TIMEOUT_MS;
    return this.#operate(
      'store_conversation_memory',
      { ...fields, conversation_history: conversation },
      { ...options, timeoutMs },
    );
  }

  /** Hands out all that is stored of a user, page by page as JSON Lines; needs a key with the scope admin. */
  async *export(
    fields: Fields<'export_user', 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Output<'export_user'>, void> {
    let cursor: string | undefined;
    do {
      const page = await this.#operate('export_user', { ...fields, ...(cursor !== undefined && { cursor }) }, options);
      yield page;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  }

  /**
   * Calls any tool of the server by its name, such as `<server>__<tool>` of one behind the aggregator. The arguments go as they are,
   * but for the user of an operation of the aggregator.
   */
  raw<Name extends OperationName>(
    name: Name,
    args: Input<Name>,
    options?: RawOptions,
  ): Promise<RawAnswer<Output<Name>>>;
  raw(name: string, args?: Readonly<Record<string, unknown>>, options?: RawOptions): Promise<RawAnswer>;
  async raw(name: string, args: object = {}, options: RawOptions = {}): Promise<RawAnswer> {
    if (!isOperation(name)) return this.#send(name, args, { ...options, isIdempotent: options.isIdempotent ?? false });
    const { isIdempotent } = operationTraits[name];
    return this.#send(name, this.#withUser(name, args), { isIdempotent, ...options });
  }

  /** Ends the connection, and an aggregator that was started for it. */
  close(): Promise<void> {
    return this.#link.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #operate<Name extends OperationName>(
    name: Name,
    fields: Input<Name>,
    options: CallOptions = {},
  ): Promise<Output<Name>> {
    const { isIdempotent } = operationTraits[name];
    const { structured } = await this.#send(name, this.#withUser(name, fields), { ...options, isIdempotent });
    if (typeof structured !== 'object' || structured === null) {
      throw new ContextloomError('unavailable', `the server answered ${name} with something that is not its answer`);
    }
    return structured as Output<Name>;
  }

  #withUser(name: OperationName, args: object): object {
    const { user } = this.#options;
    return user === undefined || !operationTraits[name].isForUser ? args : { user_id: user, ...toDefined(args) };
  }

  async #send(name: string, args: object, options: RawOptions) {
    const { signal, onProgress, isIdempotent = false } = options;
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const deadline = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    const request = { name, args: toDefined(args), signal: either, timeoutMs, onProgress };
    try {
      return await withRetries<ToolAnswer>(() => this.#link.call(request), {
        retries: this.#options.retries ?? RETRIES,
        mayRepeat: (thrown) => mayRepeat(thrown, { isIdempotent }),
        signal: either,
      });
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (deadline.aborted) throw new ContextloomError('timeout', `${name} did not end within ${timeoutMs} ms`);
      throw toError(error);
    }
  }
}

/** What is undefined was not given. */
function toDefined(args: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
