import { ContextloomError, parseInput } from '@contextloom/contracts';
import { z } from 'zod';
import { noBody, type Route, type RouteMethod, type RouteRequest } from '../route/route.ts';
import { type BoundParameters, bindOperations } from './bind-parameters.ts';
import type { Operation } from './operation.ts';
import type { OperationRoute } from './operation-route.ts';
import { readTexts } from './read-text.ts';

/** Where each field of an operation's input stands in its requests; those that are bound too, since a request may repeat them. */
interface Places {
  /** What the path and the query call a field → the field. */
  readonly params: ReadonlyMap<string, string>;
  readonly body: readonly string[];
}

const hasBody = (method: RouteMethod): boolean => method === 'post' || method === 'put' || method === 'patch';

function toPlaces(
  {
    method,
    path,
    names = {},
    query = [],
    omits = [],
  }: Pick<OperationRoute<unknown, unknown, unknown>, 'method' | 'path' | 'names' | 'query' | 'omits'>,
  { input, bound = [] }: Pick<Operation<unknown>, 'input' | 'bound'>,
): Places {
  const called = new Map(Object.entries(names).map(([name, field]) => [field, name]));
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => names[name] ?? name));
  const fields = [...Object.keys(input.shape), ...bound].filter((field) => !omits.includes(field));
  const isParam = (field: string): boolean => !hasBody(method) || inPath.has(field) || query.includes(field);
  return {
    params: new Map(fields.filter(isParam).map((field) => [called.get(field) ?? field, field])),
    body: fields.filter((field) => !isParam(field)),
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws ContextloomError `invalid` for a key that is not among these */
function refuseUnknown(given: unknown, known: readonly string[]): void {
  const unknown = isRecord(given) ? Object.keys(given).find((key) => !known.includes(key)) : undefined;
  if (unknown !== undefined) throw new ContextloomError('invalid', `${unknown} is not known here`, { field: unknown });
}

/** An error names the field as the request does. */
function asRequested(error: unknown, { params }: Places): unknown {
  if (!(error instanceof ContextloomError) || error.field === undefined) return error;
  const { code, message, field, cause } = error;
  const called = [...params].find(([, inner]) => inner === field)?.[0];
  if (called === undefined || called === field || !message.startsWith(field)) return error;
  return new ContextloomError(code, `${called}${message.slice(field.length)}`, { field: called, cause });
}

/** Gathers the input of a request; `isParsed` tells whether its body is parsed already. */
function gather<Deps>(operation: Operation<Deps>, places: Places, request: Pick<RouteRequest, 'params' | 'body'>) {
  const { forms = {}, body, refusesUnknown = false } = operation.route ?? {};
  if (refusesUnknown) refuseUnknown(request.params, [...places.params.keys()]);
  const texts = readTexts(toParams(operation, toShown(places, operation.input)), request.params);
  const params = [...places.params].flatMap(([name, field]) => {
    if (!Object.hasOwn(texts, name)) return [];
    const form = forms[field];
    return [[field, form === undefined ? texts[name] : parseInput(form, request.params[name], [name])]];
  });
  if (body !== undefined) return { ...(parseInput(body, request.body) as object), ...Object.fromEntries(params) };
  if (places.body.length === 0) return Object.fromEntries(params);
  if (refusesUnknown) refuseUnknown(request.body, places.body);
  if (!isRecord(request.body)) return request.body;
  // A server bound to a user knows no such field; a call that names another user must still be refused.
  const { field = '' } = operation.subject ?? {};
  const known = field in operation.input.shape ? places.body : [...places.body, field];
  const given = Object.entries(request.body).filter(([key]) => known.includes(key));
  return { ...Object.fromEntries(given), ...Object.fromEntries(params) };
}

/** Without bound fields, which callers need not give. */
function toShown({ params, body }: Places, { shape }: z.ZodObject): Places {
  const isShown = (field: string): boolean => Object.hasOwn(shape, field);
  return { params: new Map([...params].filter(([, field]) => isShown(field))), body: body.filter(isShown) };
}

function toObject(shape: Record<string, z.ZodType>, isStrict: boolean): z.ZodObject {
  return isStrict ? z.strictObject(shape) : z.object(shape);
}

/** The parameters as the API reference shows them. */
function toParams<Deps>({ input, route }: Operation<Deps>, { params }: Places): z.ZodObject {
  const shape = [...params].map(([name, field]) => [name, route?.forms?.[field] ?? input.shape[field]]);
  return toObject(Object.fromEntries(shape), route?.refusesUnknown === true);
}

function toBody<Deps>({ input, route }: Operation<Deps>, { body }: Places): z.ZodType {
  if (route?.body !== undefined) return route.body;
  if (body.length === 0) return noBody;
  const shape = Object.fromEntries(body.map((field) => [field, input.shape[field] as z.ZodType]));
  return toObject(shape, route?.refusesUnknown === true);
}

function toExample<Deps>({ example, route }: Operation<Deps>, places: Places): Route<Deps>['example'] {
  if (route?.example !== undefined || example === undefined) return route?.example;
  const given = Object.entries(Object(example.input) as Record<string, unknown>);
  const called = new Map([...places.params].map(([name, field]) => [field, name]));
  const params = given.flatMap(([field, value]) => (called.has(field) ? [[called.get(field), value]] : []));
  const body = given.filter(([field]) => places.body.includes(field));
  return {
    params: Object.fromEntries(params),
    ...(places.body.length > 0 && { body: Object.fromEntries(body) }),
    answer: example.output,
  };
}

/** What the reference says of it: the words for MCP where the route has none of its own. */
function toWords<Deps>({ title, description, route }: Operation<Deps>): Pick<Route<Deps>, 'summary' | 'note'> {
  if (route?.summary === undefined) return { summary: title, note: route?.note ?? description };
  return { summary: route.summary, ...(route.note !== undefined && { note: route.note }) };
}

/** An operation as a REST route: the same rights and the same checks as over MCP. */
export function toRoute<Deps>(operation: Operation<Deps>): Route<Deps> {
  const { route } = operation;
  if (route === undefined) throw new Error(`${operation.name} has no route`);
  const { method, path, statuses, errors, etagOf, statusOf, atVersion } = route;
  const places = toPlaces(route, operation);
  const shown = toShown(places, operation.input);
  const example = toExample(operation, shown);
  const usual = Math.min(...Object.keys(statuses ?? { 200: '' }).map(Number));
  return {
    method,
    path,
    ...toWords(operation),
    ...(statuses !== undefined && { statuses }),
    ...(errors !== undefined && { errors }),
    ...(example !== undefined && { example }),
    requires: operation.requires,
    params: toParams(operation, shown),
    body: toBody(operation, shown),
    answer: operation.output,
    isTagged: etagOf !== undefined,
    handle: async ({ params, body, ifMatch, ...call }, deps) => {
      const context = { ...call, deps, reportProgress: () => undefined };
      try {
        const json = await operation.call(gather(operation, places, { params, body }), context, {
          isParsed: route.body !== undefined,
          ...(atVersion !== undefined && { adjust: (input) => atVersion(input, ifMatch, context) }),
        });
        return { json, status: statusOf?.(json) ?? usual, ...(etagOf !== undefined && { etag: etagOf(json) }) };
      } catch (error) {
        throw asRequested(error, places);
      }
    },
  };
}

/** The routes of all operations that have one, in their order, with parameters that are fixed for all of them. */
export function toRoutes<Deps>(
  operations: readonly Operation<Deps>[],
  bound: BoundParameters = {},
): readonly Route<Deps>[] {
  return bindOperations(operations, bound)
    .filter(({ route }) => route !== undefined)
    .map(toRoute);
}
