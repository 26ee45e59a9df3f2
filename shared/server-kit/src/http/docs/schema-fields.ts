import type { z } from 'zod';
import { toApiSchema } from './operation.ts';

interface FieldSchema {
  /** Several where a value may be of several simple types. */
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
}

/** One row of the API reference: `name` is a path such as `documents[].content`. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** What a value is when it is not null; the outer description is the one of the field. */
function withoutNull(schema: FieldSchema): FieldSchema {
  const kinds = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return kinds.length === 1 ? { ...kinds[0], ...schema } : schema;
}

function toTypeNames(type: FieldSchema['type']): string | undefined {
  return typeof type === 'object' ? type.filter((name) => name !== 'null').join(' or ') : type;
}

function typeOf(schema: FieldSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.type === 'array') return `array of ${toTypeNames(schema.items?.type) ?? 'value'}s`;
  return toTypeNames(schema.type) ?? 'value';
}

function describe({ description = '', default: preset }: FieldSchema): string {
  return preset === undefined ? description : `${description} Default: ${JSON.stringify(preset)}.`.trimStart();
}

function fieldsOf(schema: FieldSchema, prefix: string): readonly SchemaField[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, nullable]) => {
    const property = withoutNull(nullable);
    const name = `${prefix}${key}`;
    const row = { name, type: typeOf(property), required: required.has(key), description: describe(property) };
    const inner =
      property.type === 'array' ? fieldsOf(property.items ?? {}, `${name}[].`) : fieldsOf(property, `${name}.`);
    return [row, ...inner];
  });
}

/**
 * Lists the fields of a schema, nested ones by their path, as callers send (`input`) or read (`output`) them; empty for a
 * schema that is no object.
 */
export function listSchemaFields(schema: z.ZodType, io: 'input' | 'output'): readonly SchemaField[] {
  return fieldsOf(toApiSchema(schema, io), '');
}
