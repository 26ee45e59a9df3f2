import { type ItemTemplate, toPointerKeys } from '../../domain/context-sources/items.ts';
import { findPlaceholders } from '../../domain/context-sources/template.ts';

type Schema = Readonly<Record<string, unknown>>;

const toSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? (value as Schema) : {});

/** The schema of a property; "{}" for one that is described in another way than by `properties`. */
const toProperty = (schema: Schema, key: string): Schema => toSchema(toSchema(schema['properties'])[key]);

/**
 * A field that the line of a source names and the items of its tool's answers do not have, as far as the tool describes them.
 * @param schema the tool's output schema, where it has one
 */
export function findUnknownField(
  schema: unknown,
  { items = '', line = '' }: ItemTemplate,
): { readonly field: string; readonly known: string } | undefined {
  const found = toPointerKeys(items).reduce(toProperty, toSchema(schema));
  const item = found['type'] === 'array' ? toSchema(found['items']) : found;
  const known = Object.keys(toSchema(item['properties']));
  if (known.length === 0) return undefined;
  const field = findPlaceholders(line).find((name) => !known.includes(name.split('.')[0] ?? ''));
  return field === undefined ? undefined : { field, known: known.join(', ') };
}
