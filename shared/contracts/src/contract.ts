import { z } from 'zod';
import type { DeepReadonly } from './values/deep-readonly.ts';

/** The operations of a service by their names, with what each takes and answers. */
export type Contract = Readonly<Record<string, { readonly input: z.ZodObject; readonly output: z.ZodObject }>>;
/** What a caller gives to an operation. */
export type InputOf<C extends Contract, Name extends keyof C> = Readonly<z.input<C[Name]['input']>>;
/** What an operation answers. */
export type AnswerOf<C extends Contract, Name extends keyof C> = DeepReadonly<z.output<C[Name]['output']>>;

/** Of a schema the fields that a reader needs, all of them the owner's: any other name does not compile. */
type Wanted<S, M> = M extends true
  ? true
  : S extends z.ZodObject<infer Shape>
    ? { readonly [K in keyof M]: K extends keyof Shape ? Wanted<Shape[K], M[K]> : never }
    : S extends z.ZodArray<infer Item> | z.ZodOptional<infer Item>
      ? Wanted<Item, M>
      : never;

/** The schema of those fields. */
type Read<S, M> =
  S extends z.ZodOptional<infer Inner>
    ? z.ZodOptional<Read<Inner, M>>
    : S extends z.ZodArray<infer Item>
      ? z.ZodArray<Read<Item, M>>
      : S extends z.ZodEnum
        ? z.ZodString
        : M extends true
          ? S
          : S extends z.ZodObject<infer Shape>
            ? z.ZodObject<{ [K in keyof M & keyof Shape]: Read<Shape[K], M[K]> }, z.core.$loose>
            : never;

interface Fields {
  readonly [field: string]: true | Fields;
}

function pickFields(schema: unknown, wanted: true | Fields): z.ZodType {
  if (schema instanceof z.ZodOptional) return pickFields(schema.unwrap(), wanted).optional();
  if (schema instanceof z.ZodArray) return z.array(pickFields(schema.element, wanted));
  if (schema instanceof z.ZodEnum) return z.string();
  if (wanted === true || !(schema instanceof z.ZodObject)) return schema as z.ZodType;
  const fields = Object.entries(wanted).map(([name, inner]) => [name, pickFields(schema.shape[name], inner)]);
  return z.looseObject(Object.fromEntries(fields));
}

/**
 * Reads of an answer what its reader needs: a server of another version may lack the rest, know more words of an enum, or tell
 * more, which stays as it came.
 * @param wanted the fields, such as `{ items: { id: true } }` for the ids of a list
 */
export function readOnly<S extends z.ZodObject, const M>(schema: S, wanted: M & Wanted<S, M>): Read<S, M> {
  return pickFields(schema, wanted as Fields) as Read<S, M>;
}
