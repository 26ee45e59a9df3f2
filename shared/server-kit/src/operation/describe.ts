import { toToolSchema } from '../tool/tool-schema.ts';
import type { Effect } from './effect.ts';
import type { Operation } from './operation.ts';

/** One field of a form. */
export interface FormField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** JSON Schema of its value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** An operation as a page draws it. */
export interface OperationForm {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly scope: 'user' | 'project' | 'none';
  readonly fields: readonly FormField[];
  readonly example?: unknown;
}

/** Describes an operation's input field by field. */
export function toForm<Deps>(operation: Operation<Deps>): OperationForm {
  const { name, title, description, effect, scope, example } = operation;
  const { properties = {}, required = [] } = toToolSchema(operation.input, 'input') as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([field, { description: meaning = '', ...schema }]) => ({
    name: field,
    description: String(meaning),
    isRequired: required.includes(field),
    schema,
  }));
  return { name, title, description, effect, scope, fields, ...(example !== undefined && { example: example.input }) };
}

/** The operations as `--help` lists them, a line each: name, parameters (optional ones in brackets), title. */
export function toHelp<Deps>(operations: readonly Operation<Deps>[]): string {
  return operations
    .map(toForm)
    .map(({ name, title, effect, fields }) => {
      const params = fields.map((field) => (field.isRequired ? field.name : `[${field.name}]`)).join(' ');
      return `  ${[name, params].filter((part) => part !== '').join(' ')}\n      ${title} (${effect})`;
    })
    .join('\n');
}
