import { z } from 'zod';

/** Schemas around another one; what they hold decides how a text is read. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod;
  if ('innerType' in def) return unwrap(def.innerType as z.core.$ZodType);
  // Of a preprocess and of a transform, the side that callers write.
  if (def.type === 'pipe') {
    const { in: before, out: after } = def as z.core.$ZodPipeDef;
    return unwrap(before._zod.def.type === 'transform' ? after : before);
  }
  return schema;
}

const words = z.stringbool();

function readOne(schema: z.core.$ZodType, text: string): unknown {
  const { type } = unwrap(schema)._zod.def;
  if (type === 'number' || type === 'int') return text.trim() === '' ? text : Number(text);
  if (type === 'boolean') return words.safeParse(text).data ?? text;
  return text;
}

/**
 * Reads one parameter of a query string as the type that its schema wants: numbers and booleans, and lists where a parameter
 * is repeated. What cannot be read stays as it is, for the schema to refuse.
 */
export function readText(schema: z.core.$ZodType, given: unknown): unknown {
  const inner = unwrap(schema);
  if (inner._zod.def.type === 'array') {
    const { element } = inner._zod.def as z.core.$ZodArrayDef;
    return [given].flat().map((item) => (typeof item === 'string' ? readOne(element, item) : item));
  }
  return typeof given === 'string' ? readOne(schema, given) : given;
}

/** Reads all parameters of a query string that a schema knows. */
export function readTexts(schema: z.ZodObject, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, given]) => {
      const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
      return [name, field === undefined ? given : readText(field, given)];
    }),
  );
}
