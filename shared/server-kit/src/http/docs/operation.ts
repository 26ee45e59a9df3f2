import type { ErrorCode } from '@contextloom/contracts';
import { z } from 'zod';
import { noBody, type Route } from '../../route/route.ts';

/** A JSON Schema. */
export type JsonSchema = Record<string, unknown>;

/** A route as the API reference and the OpenAPI document see it. */
export type ShownRoute = Omit<Route<never>, 'handle'>;

/** Names a route after its method and path: `getDocumentsById`. */
export function toOperationId({ method, path }: ShownRoute): string {
  const words = path.split(/[^A-Za-z0-9:]+/).filter(Boolean);
  return words.reduce((name, word) => {
    const plain = word.replace(/^:/, '');
    return `${name}${word.startsWith(':') ? 'By' : ''}${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
  }, method as string);
}

/** Whether a route reads a body. */
export function hasBody({ body }: ShownRoute): boolean {
  return body !== noBody;
}

/** Several documents show the same routes: what their schemas are in JSON is worked out once. */
const converted = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

/** The JSON Schema of what callers send (`input`) or read (`output`). Answers may grow by a field without a new version. */
export function toApiSchema(schema: z.ZodType, io: 'input' | 'output'): Readonly<JsonSchema> {
  const known = converted[io].get(schema);
  if (known !== undefined) return known;
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  converted[io].set(schema, json);
  return json;
}

/** The error codes that a request of this kind can bring, and those that the route names. */
export function errorsOf(route: ShownRoute, hasToken: boolean): readonly ErrorCode[] {
  const hasInput = hasBody(route) || Object.keys(route.params.shape).length > 0;
  return [
    ...(hasToken ? (['unauthorized'] as const) : []),
    ...(hasBody(route) ? (['malformed', 'too_large', 'unsupported_media_type'] as const) : []),
    ...(hasInput ? (['invalid'] as const) : []),
    ...(route.errors ?? []),
  ];
}

/** The statuses of a route's answers and what each means. */
export function statusesOf({ statuses }: ShownRoute): Readonly<Record<number, string>> {
  return statuses ?? { 200: 'The answer.' };
}
