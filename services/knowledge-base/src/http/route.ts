import { parseInput, withoutNulls } from '@contextloom/contracts';
import type { z } from 'zod';
import type { KnowledgeBase } from '../domain/knowledge-base.ts';

/** What a request brings, before parsing. `params` are the query string and the path's own, which win. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly ifMatch: string | undefined;
}

/** What a route answers: a JSON object, and the entity tag of the document in it, if it shows one. */
export interface RouteAnswer {
  readonly json: object;
  readonly status: number;
  readonly etag?: string;
}

/** What a route's function sees of a request, after parsing. */
export interface RouteCall<P extends z.ZodObject, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly body: z.output<B>;
  readonly ifMatch: string | undefined;
}

/** The methods that routes use. */
export type RouteMethod = 'get' | 'post' | 'patch' | 'delete';

/** A route as data: what the API reference shows, and the function behind it. */
export interface RouteDefinition<P extends z.ZodObject, B extends z.ZodType, A extends z.ZodObject> {
  readonly method: RouteMethod;
  readonly path: string;
  readonly summary: string;
  /** Path and query parameters. */
  readonly params: P;
  /** Parsed after dropping top-level nulls. */
  readonly body: B;
  readonly answer: A;
  /** What the reference says of entity tags. */
  readonly note?: string;
  /** Makes the ETag header of an answer that shows a document. */
  readonly etagOf?: (answer: z.input<A>) => string;
  /** Makes the HTTP status of an answer; 200 unless the route says otherwise. */
  readonly statusOf?: (answer: z.input<A>) => number;
  readonly run: (call: RouteCall<P, B>, knowledgeBase: KnowledgeBase) => Promise<z.input<A>>;
}

/** A route whose types are sealed inside, so that routes of all kinds stand in one list. */
export interface Route {
  readonly method: RouteMethod;
  readonly path: string;
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly body: z.ZodType;
  readonly answer: z.ZodObject;
  readonly note?: string;
  /** Parses and answers one request; rejects with `ContextloomError`. */
  readonly handle: (request: RouteRequest, knowledgeBase: KnowledgeBase) => Promise<RouteAnswer>;
}

/** Seals a definition: parameters and body are parsed before its function runs. */
export function defineRoute<P extends z.ZodObject, B extends z.ZodType, A extends z.ZodObject>(
  definition: RouteDefinition<P, B, A>,
): Route {
  const { run, etagOf, statusOf, ...shown } = definition;
  return {
    ...shown,
    handle: async ({ params, body, ifMatch }, knowledgeBase) => {
      const call = {
        params: parseInput(definition.params, params),
        body: parseInput(definition.body, withoutNulls(body)),
        ifMatch,
      };
      const json = await run(call, knowledgeBase);
      const status = statusOf?.(json) ?? 200;
      return { json, status, ...(etagOf !== undefined && { etag: etagOf(json) }) };
    },
  };
}
