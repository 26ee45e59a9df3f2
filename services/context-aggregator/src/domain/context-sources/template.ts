import type { JsonObject, JsonValue } from '@contextloom/contracts';

/** What a template may name, and what stands for it; undefined is left out. */
export type TemplateValues = Readonly<Record<string, JsonValue | undefined>>;

const PLACEHOLDER = /\{\{\s*([\w.-]+)\s*\}\}/gu;
const ONLY_PLACEHOLDER = /^\{\{\s*([\w.-]+)\s*\}\}$/u;

/** Reads `a.b` of an object; undefined if it is missing. */
function readPath(values: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, key) => {
    const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return isOwn ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  }, values);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The names that a template uses, at whatever depth. */
export function findPlaceholders(template: JsonValue): readonly string[] {
  if (typeof template === 'string') return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap((value) => findPlaceholders(value ?? null));
}

/** Fills a text: `{{name}}` becomes the value, "" if it is missing. */
export function fillText(template: string, values: unknown, encode: (text: string) => string = String): string {
  return template.replace(PLACEHOLDER, (_match, name: string) => encode(toText(readPath(values, name))));
}

/** Fills a value: a text that is one placeholder becomes the value itself, whatever its type. */
function fillValue(template: JsonValue, values: TemplateValues): JsonValue | undefined {
  if (Array.isArray(template)) return template.flatMap((item) => fillValue(item, values) ?? []);
  if (typeof template === 'object' && template !== null) return fillArguments(template as JsonObject, values);
  if (typeof template !== 'string') return template;
  const name = ONLY_PLACEHOLDER.exec(template)?.[1];
  return name === undefined ? fillText(template, values) : (readPath(values, name) as JsonValue | undefined);
}

/** Fills the arguments of a call; one whose value is missing is left out, never sent as null. */
export function fillArguments(template: JsonObject, values: TemplateValues): JsonObject {
  const filled = Object.entries(template).map(([key, value]) => [key, fillValue(value ?? null, values)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined && value !== null)) as JsonObject;
}
