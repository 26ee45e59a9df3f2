/** Properties whose value is a schema, or a list or a record of schemas (JSON Schema 2020-12). */
const single = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames'];
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const records = ['properties', '$defs', 'patternProperties'];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Finds what makes some MCP clients refuse a whole server: a boolean or empty schema, or open `additionalProperties`.
 * @returns the paths at fault, empty when the schema is fit
 */
export function findUnfitSchemas(schema: unknown, path = '#'): readonly string[] {
  if (!isRecord(schema)) return [`${path} is ${JSON.stringify(schema)}`];
  if (Object.keys(schema).length === 0) return [`${path} is empty`];
  return [
    ...single.flatMap((key) => {
      if (!(key in schema) || (key === 'additionalProperties' && schema[key] === false)) return [];
      return findUnfitSchemas(schema[key], `${path}/${key}`);
    }),
    ...lists.flatMap((key) => {
      const branches = schema[key];
      return Array.isArray(branches)
        ? branches.flatMap((branch, at) => findUnfitSchemas(branch, `${path}/${key}/${at}`))
        : [];
    }),
    ...records.flatMap((key) => {
      const named = schema[key];
      return isRecord(named)
        ? Object.entries(named).flatMap(([name, inner]) => findUnfitSchemas(inner, `${path}/${key}/${name}`))
        : [];
    }),
  ];
}
