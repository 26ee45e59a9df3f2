import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** Some MCP clients refuse a server over `additionalProperties: true` or `{}`; saying nothing means the same. */
function dropOpenAdditionalProperties(schema: JsonSchema): void {
  const extra = schema['additionalProperties'];
  const isEmpty = typeof extra === 'object' && extra !== null && Object.keys(extra).length === 0;
  if (extra === true || extra === false || isEmpty) delete schema['additionalProperties'];
}

/**
 * The JSON Schema that a tool advertises: arguments as callers may send them, answers as they are sent.
 * Source: JSON Schema 2020-12, as the MCP revision 2025-11-25 asks for.
 */
export function toToolSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema & { type: 'object' } {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => dropOpenAdditionalProperties(jsonSchema as JsonSchema),
  });
  const { $schema: _dialect, ...rest } = json as JsonSchema;
  return { ...rest, type: 'object' };
}
