import { z } from 'zod';

/** Keywords that strict structured output does not take; the answer is checked against the whole schema afterwards. */
const UNSUPPORTED = new Set([
  '$schema',
  'default',
  'examples',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'propertyNames',
]);

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function makeNullable(schema: Json): Json {
  // An enumeration lacks null even where the types have it.
  if (typeof schema['type'] === 'string' && schema['enum'] === undefined)
    return { ...schema, type: [schema['type'], 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

function toStrict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toStrict);
  if (!isObject(schema)) return schema;
  const properties = isObject(schema['properties']) ? schema['properties'] : undefined;
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const rest = Object.entries(schema)
    .filter(([key]) => !UNSUPPORTED.has(key) && key !== 'properties' && key !== 'required')
    .map(([key, value]) => [key, toStrict(value)] as const);
  if (properties === undefined) return Object.fromEntries(rest);
  const strict = Object.entries(properties).map(([name, value]) => {
    const inner = toStrict(value) as Json;
    return [name, required.has(name) ? inner : makeNullable(inner)] as const;
  });
  return {
    ...Object.fromEntries(rest),
    properties: Object.fromEntries(strict),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/**
 * A zod schema as the JSON schema of strict structured output: every property required (an optional one may be null), none
 * besides them, and no keyword that endpoints refuse. Source: OpenAI, Structured Outputs, supported schemas.
 */
export function toStrictJsonSchema(schema: z.ZodType): Json {
  return toStrict(z.toJSONSchema(schema, { io: 'input' })) as Json;
}

/** An answer of strict output as the schema has it: optional properties that came as null are left out. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, withoutNulls(inner)]),
  );
}

/** The order to answer in a shape, for a model that takes no schema beside its messages. */
export function toJsonOrder({
  promptSchema,
  schema,
}: {
  readonly promptSchema?: z.ZodType;
  readonly schema: z.ZodType;
}): string {
  const written = JSON.stringify(toStrictJsonSchema(promptSchema ?? schema));
  return `Answer with one JSON object and nothing else. It must match this JSON schema:\n${written}`;
}
