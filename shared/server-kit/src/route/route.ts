import type { AccessScope, Principal } from '@contextloom/access';
import { type DeepReadonly, type ErrorCode, parseInput, withoutNulls } from '@contextloom/contracts';
import { z } from 'zod';
import type { MaskCall } from '../privacy/mask-call.ts';

/** The media type of JSON Lines. Source: the ndjson specification; no form of a foreign page can send it. */
export const LINES_TYPE = 'application/x-ndjson';

/** What a request brings, before parsing. `params` are the query string and the path's own, which win. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly ifMatch: string | undefined;
  readonly principal: Principal;
  /** Gets whom a call is about, for the audit log. */
  readonly noteSubjects?: ((ids: readonly string[]) => void) | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Masks the words of a call that stores something, where this installation asks for that. */
  readonly mask?: MaskCall | undefined;
}

/** What a route answers: a JSON object, and the entity tag of what it shows, if it has one; or text of its own media type. */
export type RouteAnswer =
  | { readonly json: object; readonly status: number; readonly etag?: string }
  | { readonly text: RouteText; readonly type: string };

/** A text, whole or piece by piece. */
export type RouteText = string | AsyncIterable<string>;

/** What a route's function sees of a request, after parsing. */
export interface RouteCall<P extends z.ZodObject, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly body: z.output<B>;
  readonly ifMatch: string | undefined;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly mask?: MaskCall | undefined;
}

/** The methods that routes use. */
export type RouteMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A call and its answer, as the API reference shows them. */
export interface RouteExample<Params, Body, Answer> {
  readonly params?: Params;
  readonly body?: Body;
  readonly answer: Answer;
}

/** What the API reference says of a route. */
interface RouteShown {
  readonly method: RouteMethod;
  /** Such as `/documents/:id`. */
  readonly path: string;
  readonly summary: string;
  /** More than the summary says, such as about entity tags. */
  readonly note?: string;
  /** The statuses of an answer and what each means; 200 alone without it, and the lowest unless `statusOf` says otherwise. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** Error codes of its own, besides those that its kind of request brings. */
  readonly errors?: readonly ErrorCode[];
  /** The scope that a caller needs; without it `read` for GET and `write` for the rest. */
  readonly requires?: AccessScope;
}

/** A route as data: what the API reference shows, and the function behind it. */
export interface RouteDefinition<P extends z.ZodObject, B extends z.ZodType, A extends z.ZodObject, Deps>
  extends RouteShown {
  /** Path and query parameters, which arrive as text (a repeated one as a list); {@link noParams} for none. */
  readonly params: P;
  /** Parsed after dropping top-level nulls; {@link noBody} where none is read. */
  readonly body: B;
  /** Documented and checked by types; an answer is not parsed, so a long page costs no second walk. */
  readonly answer: A;
  readonly example?: RouteExample<z.input<P>, z.input<B>, z.input<A>>;
  /** Makes the ETag header of an answer. */
  readonly etagOf?: (answer: DeepReadonly<z.input<A>>) => string;
  /** Makes the HTTP status of an answer. */
  readonly statusOf?: (answer: DeepReadonly<z.input<A>>) => number;
  readonly run: (call: RouteCall<P, B>, deps: Deps) => DeepReadonly<z.input<A>> | Promise<DeepReadonly<z.input<A>>>;
}

/** A route whose types are sealed inside, so that routes of all kinds stand in one list. */
export interface Route<Deps> extends RouteShown {
  readonly params: z.ZodObject;
  readonly body: z.ZodType;
  readonly answer: z.ZodObject;
  /** The media type of its answers where they are not JSON. */
  readonly produces?: string;
  readonly example?: RouteExample<unknown, unknown, unknown>;
  /** Whether its answers carry an ETag header. */
  readonly isTagged: boolean;
  /** Parses and answers one request; rejects with `ContextloomError`. */
  readonly handle: (request: RouteRequest, deps: Deps) => Promise<RouteAnswer>;
}

/** For routes that read no body: whatever comes is ignored. */
export const noBody = z.unknown();

/** For routes that read JSON Lines (`application/x-ndjson`) of any length, as they come; what the lines say is theirs to check. */
export const linesBody = z.custom<AsyncIterable<Uint8Array>>();

/** For routes without parameters. */
export const noParams = z.object({});

/** A stream is not looked into: its reader does that, line by line. */
function parseBody<B extends z.ZodType>(schema: B, body: unknown): z.output<B> {
  return readsLines({ body: schema }) ? (body as z.output<B>) : parseInput(schema, withoutNulls(body));
}

/** Whether a route reads JSON Lines. */
export function readsLines({ body }: { readonly body: z.ZodType }): boolean {
  return body === linesBody;
}

/** Seals a definition: parameters and body are parsed before its function runs. */
export function defineRoute<P extends z.ZodObject, B extends z.ZodType, A extends z.ZodObject, Deps>(
  definition: RouteDefinition<P, B, A, Deps>,
): Route<Deps> {
  const { run, etagOf, statusOf, ...shown } = definition;
  const usual = Math.min(...Object.keys(definition.statuses ?? { 200: '' }).map(Number));
  return {
    ...shown,
    isTagged: etagOf !== undefined,
    handle: async ({ params, body, ...request }, deps) => {
      const call = {
        ...request,
        params: parseInput(definition.params, params),
        body: parseBody(definition.body, body),
      };
      const json = await run(call, deps);
      const status = statusOf?.(json) ?? usual;
      return { json, status, ...(etagOf !== undefined && { etag: etagOf(json) }) };
    },
  };
}

/** A route that answers text, such as a page, instead of JSON. */
export interface TextRouteDefinition<P extends z.ZodObject, Deps> extends RouteShown {
  readonly params: P;
  /** The media type of its answers, without a charset: it is UTF-8. */
  readonly produces: string;
  /** What throws before the first piece is answered as an error; later, the connection is cut. */
  readonly run: (call: Omit<RouteCall<P, typeof noBody>, 'body'>, deps: Deps) => RouteText | Promise<RouteText>;
}

/** Seals the definition of a route that answers text. */
export function defineTextRoute<P extends z.ZodObject, Deps>(definition: TextRouteDefinition<P, Deps>): Route<Deps> {
  const { run, ...shown } = definition;
  return {
    ...shown,
    body: noBody,
    answer: noParams,
    isTagged: false,
    handle: async ({ params, body: _unread, ...request }, deps) => {
      const text = await run({ ...request, params: parseInput(definition.params, params) }, deps);
      return { text, type: definition.produces };
    },
  };
}
