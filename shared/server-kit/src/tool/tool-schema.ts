import { z } from 'zod';

type JsonSchema = Record<string, unknown>;
type ToolSchema = Readonly<JsonSchema> & { readonly type: 'object' };

/** A server is built for each session, of the same operations: what their schemas are in JSON is worked out once. */
const converted = { input: new WeakMap<z.ZodObject, ToolSchema>(), output: new WeakMap<z.ZodObject, ToolSchema>() };

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
export function toToolSchema(schema: z.ZodObject, io: 'input' | 'output'): ToolSchema {
  const known = converted[io].get(schema);
  if (known !== undefined) return known;
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => dropOpenAdditionalProperties(jsonSchema as JsonSchema),
  });
  const { $schema: _dialect, ...rest } = json as JsonSchema;
  const toolSchema: ToolSchema = { ...rest, type: 'object' };
  converted[io].set(schema, toolSchema);
  return toolSchema;
}
