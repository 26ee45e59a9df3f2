import { hasBody, type ShownRoute } from './operation.ts';

/** The call that the reference shows: a given example, or the bare call of a route that takes nothing. */
export interface ShownExample {
  readonly call: string;
  readonly answer?: string;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function toUrl(baseUrl: string, path: string, params: Readonly<Record<string, unknown>>): string {
  const inPath = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (path.split('/').includes(`:${name}`)) continue;
    for (const item of [value].flat()) query.append(name, String(item));
  }
  return `${baseUrl}${inPath}${query.size === 0 ? '' : `?${query}`}`;
}

/** Writes a route's example as a call of curl and its answer; undefined when it has none and needs input. */
export function toShownExample(route: ShownRoute, baseUrl: string, hasToken: boolean): ShownExample | undefined {
  const { example, method, path } = route;
  const takesNothing = Object.keys(route.params.shape).length === 0 && !hasBody(route);
  if (example === undefined && !takesNothing) return undefined;
  const url = toUrl(baseUrl, path, (example?.params ?? {}) as Readonly<Record<string, unknown>>);
  const body = example?.body;
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quote(url)}`,
    ...(hasToken ? [`-H 'Authorization: Bearer <token>'`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body, null, 2))}`]),
  ];
  return {
    call: parts.join(' \\\n  '),
    ...(example !== undefined && { answer: JSON.stringify(example.answer, null, 2) }),
  };
}
