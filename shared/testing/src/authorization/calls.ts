import type { SubjectKind } from '@contextloom/access';
import type { Operation } from '@contextloom/server-kit';
import { type Route, readsLines } from '@contextloom/server-kit';
import { type CallTarget, OTHER, type Owners } from './callers.ts';

/** One way to call something, and what it asks of its caller. */
export interface TriedCall {
  readonly name: string;
  /** Where the owner is named. */
  readonly place: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly target: CallTarget;
}

type Path = readonly string[];

/** Writes an id into a place such as `documents.*.metadata.user_id`, or takes it out. */
function withId(value: unknown, [step, ...rest]: Path, id: string | undefined): unknown {
  if (step === undefined) return id;
  if (step === '*') return Array.isArray(value) ? value.map((item) => withId(item, rest, id)) : value;
  if (id === undefined && (typeof value !== 'object' || value === null)) return value;
  const { [step]: before, ...others } = Object(value) as Record<string, unknown>;
  const inner = withId(before, rest, id);
  return inner === undefined ? others : { ...others, [step]: inner };
}

const toArgs = (value: unknown): Readonly<Record<string, unknown>> => Object(value) as Record<string, unknown>;

/** Each way to name the owner: nowhere, and in each place alone, the owner of the examples and somebody else. */
export function callsOf<Deps>(operation: Operation<Deps>, own: Owners, serves?: SubjectKind): readonly TriedCall[] {
  const { name, subject, example, requires } = operation;
  const kind = subject?.kind;
  const places = subject?.places ?? [];
  const without = (path: string, value: unknown): unknown => withId(value, path.split('.'), undefined);
  const input = toArgs(places.reduce((value, place) => without(place, value), Object(example?.input ?? {})));
  const target = { requires, kind, isOptional: subject?.isOptional ?? true, serves };
  const inPlace = (place: string, names: 'own' | 'foreign', id: string): TriedCall => ({
    name,
    place: `${place} (${names})`,
    args: toArgs(withId(input, place.split('.'), id)),
    target: { ...target, names },
  });
  const ownId = kind === undefined ? '' : own[kind];
  return [
    { name, place: 'nowhere', args: input, target: { ...target, names: 'nobody' } },
    ...places.flatMap((place) => [inPlace(place, 'own', ownId), inPlace(place, 'foreign', OTHER)]),
  ];
}

/** What no parameter takes. */
const WRONG = [[null]];

/** The calls about somebody else, with everything else of them wrong: who may not call does not learn that. */
export function spoil<Deps>(
  { input, subject, bound = [] }: Operation<Deps>,
  calls: readonly TriedCall[],
): readonly TriedCall[] {
  const kept = [...(subject?.places ?? []).map((place) => place.split('.')[0]), ...bound];
  const fields = Object.keys(input.shape).filter((field) => !kept.includes(field));
  const wrong = Object.fromEntries(fields.map((field) => [field, WRONG]));
  return calls
    .filter(({ target }) => target.names === 'foreign')
    .map((call) => ({ ...call, place: `${call.place}, the rest wrong`, args: { ...call.args, ...wrong } }));
}

/** A request to a server's address. */
export interface RestRequest {
  readonly path: string;
  readonly init: RequestInit;
}

/** An operation's call as a request of its route; undefined for one that has none. */
export function toRequest<Deps>({ route }: Operation<Deps>, args: TriedCall['args']): RestRequest | undefined {
  if (route === undefined) return undefined;
  const { method, names = {}, query: inQuery = [] } = route;
  const left = new Map(Object.entries(args));
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => {
    const field = names[name] ?? name;
    const value = left.get(field);
    left.delete(field);
    return encodeURIComponent(String(value));
  });
  const hasBody = !['get', 'delete'].includes(method);
  const query = new URLSearchParams();
  for (const [field, value] of [...left]) {
    if (hasBody && !inQuery.includes(field)) continue;
    left.delete(field);
    for (const item of [value].flat()) query.append(field, String(item));
  }
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(Object.fromEntries(left)) };
  return { path: `${path}?${query}`, init: { method: method.toUpperCase(), ...(hasBody && json) } };
}

/** A route as it is tried: what it needs, and where it is. */
export type TriedRoute = Pick<Route<unknown>, 'method' | 'path' | 'requires' | 'params' | 'body'>;

const subjectParams: Readonly<Record<string, SubjectKind>> = { user_id: 'user', project_key: 'project' };

/** The calls of a route that is no operation; `kind` is undefined where only its own code knows whose data it is about. */
export function routeCallsOf({ method, path, requires, params }: TriedRoute, own: Owners): readonly TriedCall[] {
  const name = `${method} ${path}`;
  const scope = requires ?? (method === 'get' ? 'read' : 'write');
  const target = { requires: scope, isOptional: true, serves: undefined };
  const places = Object.entries(subjectParams).filter(([place]) => Object.hasOwn(params.shape, place));
  return [
    { name, place: 'nowhere', args: {}, target: { ...target, kind: undefined, names: 'nobody' } },
    ...places.flatMap(([place, kind]) =>
      (['own', 'foreign'] as const).map((names) => ({
        name,
        place: `${place} (${names})`,
        args: { [place]: names === 'own' ? own[kind] : OTHER },
        target: { ...target, kind, names },
      })),
    ),
  ];
}

/** A call of such a route as a request, with an empty body of the kind that it reads. */
export function toRouteRequest(route: TriedRoute, args: TriedCall['args']): RestRequest {
  const query = new URLSearchParams(args as Record<string, string>);
  const type = readsLines(route) ? 'application/x-ndjson' : 'application/json';
  const body = route.method === 'get' ? {} : { body: '{}', headers: { 'content-type': type } };
  return { path: `${route.path}?${query}`, init: { method: route.method.toUpperCase(), ...body } };
}
