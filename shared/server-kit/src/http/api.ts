import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type Audit,
  type Authorization,
  type CallMetrics,
  codeOf,
  createAdmit,
  type Guard,
  identifyAnyone,
  nobody,
  requireIdentity,
  requireScope,
  senderOf,
  withToken,
} from '@contextloom/access';
import type { Log } from '@contextloom/runtime';
import type { Express, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { MaskCall } from '../privacy/mask-call.ts';
import { addErrorHandling, type ErrorFormat, houseErrors } from '../route/errors.ts';
import {
  defineRoute,
  defineTextRoute,
  noBody,
  noParams,
  type Route,
  type RouteAnswer,
  readsLines,
} from '../route/route.ts';
import { createAddressCheck, createHttpApp, readJsonBodies, requireLines } from './app.ts';
import { renderApiPage } from './docs/api-page.ts';
import { type ApiDescription, toOpenApi } from './docs/openapi.ts';
import { createFront, SAFE_HEADERS } from './front.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';
import { addSessionRoute, type Site } from './site.ts';

const PATH = '/metrics';

/** The routes of a server with its counters for Prometheus at `/metrics`, unless it has a route of its own there. */
function withMetrics<Deps>(routes: readonly Route<Deps>[], metrics: CallMetrics | undefined): readonly Route<Deps>[] {
  if (metrics === undefined || routes.some(({ path }) => path === PATH)) return routes;
  const route = defineTextRoute<typeof noParams, Deps>({
    method: 'get',
    path: PATH,
    summary: 'Tells Prometheus how many calls there were, by operation and outcome.',
    requires: 'admin',
    params: noParams,
    produces: 'text/plain; version=0.0.4',
    run: () => metrics.render(),
  });
  return [...routes, route];
}

/** An HTTP API as data. */
export interface ApiDefinition<Deps> {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly routes: readonly Route<Deps>[];
  readonly deps: Deps;
  readonly log: Log;
  /** How errors are answered, where clients expect another form than the project's. */
  readonly errors?: ErrorFormat;
  /** Callers must send it as a bearer token, to `/mcp` too; `/health` and the reference stay open. */
  readonly token?: string | undefined;
}

/** Where an API is served. */
export interface ApiServing {
  /** The same service over MCP, at `/mcp`. */
  readonly mcp?: McpEndpoint;
  /** More MCP servers, each at `/mcp/<name>`. */
  readonly at?: Readonly<Record<string, McpEndpoint>>;
  /** Host names other than loopback's under which the service is reached, without ports. */
  readonly allowedHosts?: readonly string[];
  /** Identifies and limits callers; without it every caller has the rights of the user who started the server. */
  readonly guard?: Omit<Guard, 'log'> | undefined;
  readonly audit?: Audit | undefined;
  /** Served at `/metrics` to administrators; without keys, to whoever is let in. */
  readonly metrics?: CallMetrics | undefined;
  /** What RFC 9728 has clients read, where tokens of an identity provider are taken. */
  readonly protectedResource?: object | undefined;
  /** The authorization server of this installation, where this server is it. */
  readonly authorization?: Authorization | undefined;
  /** Masks what calls bring to be stored. */
  readonly mask?: MaskCall | undefined;
  /** The page at `/`, in place of the way to the reference; with it `/session` says who calls. */
  readonly site?: Site | undefined;
}

/** An API with its dependencies inside. */
export interface HttpApi {
  /** The OpenAPI document, as `/openapi.json` answers it without MCP. */
  readonly openApi: object;
  /** Whether callers must send a token. */
  readonly hasToken: boolean;
  /** The routes that a caller has to be known for, where callers are asked who they are. */
  readonly guardedRoutes: readonly Pick<Route<unknown>, 'method' | 'path' | 'requires' | 'params' | 'body'>[];
  /** Builds the application: the routes, `/mcp`, `/openapi.json`, and the readable reference at `/docs`, where `/` leads. */
  readonly toApp: (serving?: ApiServing) => Promise<RequestListener>;
}

const health = defineRoute({
  method: 'get',
  path: '/health',
  summary: 'Tells that the server runs.',
  params: noParams,
  body: noBody,
  answer: z.object({ status: z.literal('running') }),
  example: { answer: { status: 'running' } },
  run: () => ({ status: 'running' as const }),
});

/** What answers without a token. */
const OPEN_PATHS = ['/', '/docs', '/openapi.json', '/health', '/ready'];
/** Source: RFC 9728, section 3.1; the resource is the whole server, and clients ask for that of `/mcp` too. */
const METADATA_PATHS = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'];

/** Makes an API of routes. Without a route of its own at `/health`, one tells that the server runs. */
export function createApi<Deps>(definition: ApiDefinition<Deps>): HttpApi {
  const { deps, log, token, errors = houseErrors } = definition;
  const hasHealth = definition.routes.some(({ method, path }) => method === 'get' && path === health.path);
  const routes: readonly Route<Deps>[] = hasHealth ? definition.routes : [...definition.routes, health];
  const describe = (served: readonly Route<Deps>[], hasMcp: boolean): ApiDescription => ({
    title: definition.title,
    description: definition.description,
    version: definition.version,
    routes: served,
    errors,
    hasToken: token !== undefined,
    hasMcp,
  });
  return {
    openApi: toOpenApi(describe(routes, false)),
    hasToken: token !== undefined,
    guardedRoutes: routes.filter(({ path }) => !OPEN_PATHS.includes(path)),
    toApp: async ({ mcp, at = {}, guard = { identify: identifyAnyone }, ...serving } = {}) => {
      const { allowedHosts = [], audit, mask, metrics, protectedResource, authorization, site } = serving;
      const served = withMetrics(routes, metrics);
      const app = await createHttpApp({ allowedHosts });
      app.use((_request, response, next) => {
        response.set(SAFE_HEADERS);
        next();
      });
      if (authorization !== undefined) app.use(authorization.handle);
      if (protectedResource !== undefined) {
        app.get(METADATA_PATHS, (_request, response) => void response.json(protectedResource));
      }
      if (site !== undefined) app.use(site.handle);
      const { identify, isAuthRequired = () => false } = guard;
      const whole = {
        ...guard,
        identify: token === undefined ? identify : withToken(token, identify, isAuthRequired),
        log,
      };
      const admit = createAdmit(whole);
      app.use(requireIdentity(admit, OPEN_PATHS));
      if (site !== undefined) addSessionRoute(app, () => token !== undefined || isAuthRequired());
      const named = Object.entries(at).map(([name, endpoint]) => [`/mcp/${name}`, endpoint] as const);
      const endpoints = new Map(mcp === undefined ? named : [['/mcp', mcp], ...named]);
      for (const [path, endpoint] of endpoints) app.all(path, endpoint.handle);
      addReference(app, describe(served, mcp !== undefined));
      for (const route of served.filter(readsLines)) {
        app[route.method](route.path, requireLines, toRequestHandler(route, deps, { audit, mask }));
      }
      await readJsonBodies(app);
      for (const route of served.filter((route) => !readsLines(route))) {
        app[route.method](route.path, toRequestHandler(route, deps, { audit, mask }));
      }
      addErrorHandling(app, { log, errors });
      return createFront(app, { endpoints, check: createAddressCheck(allowedHosts), admit, log });
    },
  };
}

/** For pages with a style of their own, and nothing else. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

function addReference(app: Express, api: ApiDescription): void {
  const openApi = toOpenApi(api);
  app.get('/openapi.json', (_request, response) => {
    response.json(openApi);
  });
  app.get('/docs', (request, response) => {
    // The guard has let this Host pass: it is one of the server's own names.
    const page = renderApiPage(api, `${request.protocol}://${request.get('host') ?? ''}`);
    response.set('Content-Security-Policy', PAGE_POLICY).type('html').send(page);
  });
  app.get('/', (_request, response) => response.redirect('/docs'));
}

function toRequestHandler<Deps>(
  route: Route<Deps>,
  deps: Deps,
  { audit, mask }: Pick<ApiServing, 'audit' | 'mask'>,
): RequestHandler {
  return async (request, response) => {
    const gone = new AbortController();
    response.once('close', () => response.writableFinished || gone.abort());
    const principal = senderOf(response) ?? nobody;
    let subjects: readonly string[] = [];
    const write = (outcome: string): void =>
      audit?.write({ principal, operation: `${route.method} ${route.path}`, subjects, outcome });
    try {
      requireScope(principal, route.requires ?? (route.method === 'get' ? 'read' : 'write'), route.path);
      const call = {
        params: { ...request.query, ...request.params },
        body: readsLines(route) ? request : request.body,
        ifMatch: request.get('if-match'),
        principal,
        noteSubjects: (ids: readonly string[]) => {
          subjects = ids;
        },
        signal: gone.signal,
        mask,
      };
      const answer = await route.handle(call, deps);
      write('ok');
      await send(response, answer);
    } catch (error) {
      write(codeOf(error));
      throw error;
    }
  };
}

async function send(response: Response, answer: RouteAnswer): Promise<void> {
  if ('json' in answer) {
    if (answer.etag !== undefined) response.set('ETag', answer.etag);
    response.status(answer.status).json(answer.json);
    return;
  }
  const { text, type } = answer;
  response.set({ 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': PAGE_POLICY });
  if (typeof text === 'string') {
    response.send(text);
    return;
  }
  const pieces = text[Symbol.asyncIterator]();
  const first = await pieces.next(); // What fails before it can still be answered as an error.
  if (first.done === true) {
    response.end();
    return;
  }
  const all = async function* (): AsyncGenerator<string> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  await pipeline(Readable.from(all()), response).catch((error: unknown) => {
    if (Object(error).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error; // A caller may stop reading.
  });
}
