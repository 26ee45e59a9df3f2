import type { Item } from './provider.ts';
import type { Raw } from './rpc.ts';

/** What a property's schema says to have its value repeated in a header. Source: MCP 2026-07-28, streamable HTTP, tool parameters in headers. */
const ANNOTATION = 'x-mcp-header';
const PREFIX = 'mcp-param-';
/** Source: RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** What stands in a header as it is. Source: RFC 9110, section 5.5. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
/** How the specification writes any other text. */
const ENCODED = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** The values of a call that its tool wants repeated, by the name of the header. */
function toRepeated({ inputSchema }: Item, args: unknown): ReadonlyMap<string, string | number> {
  const repeated = new Map<string, string | number>();
  const open = [{ schema: Object(inputSchema) as Raw, value: args }];
  for (const { schema, value } of open) {
    const name = schema[ANNOTATION];
    const given = toGiven(value);
    if (typeof name === 'string' && TOKEN.test(name) && given !== undefined) repeated.set(PREFIX + name, given);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const properties = Object(schema['properties']) as Raw;
      if (Object.hasOwn(properties, key)) open.push({ schema: Object(properties[key]) as Raw, value: inner });
    }
  }
  return repeated;
}

/** Numbers that JSON keeps exactly, texts, and what is true or false; nothing else stands in a header. */
function toGiven(value: unknown): string | number | undefined {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : value;
  return typeof value === 'string' ? value : undefined;
}

/** The headers that repeat values of a call, for a server that compares them. */
export function toParamHeaders(tool: Item, args: unknown): Readonly<Record<string, string>> {
  const headers = [...toRepeated(tool, args)].map(([name, given]) => [name, encode(String(given))] as const);
  return Object.fromEntries(headers);
}

function encode(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Undefined for what is said to be base64 and is not, or is no UTF-8. */
function decode(header: string): string | undefined {
  const base64 = ENCODED.exec(header)?.[1];
  if (base64 === undefined) return header;
  if (!BASE64.test(base64)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Why the headers of a call contradict what it says; undefined where they repeat it. */
export function findParamMismatch(tool: Item, args: unknown, headers: Headers): string | undefined {
  for (const [name, given] of toRepeated(tool, args)) {
    const header = headers.get(name);
    if (header === null) return `the header ${name} is missing: it repeats a value of the call`;
    const text = decode(header);
    const isSame =
      typeof given === 'number' && DECIMAL.test(text ?? '') ? Number(text) === given : text === String(given);
    if (!isSame) return `the header ${name} is another value than the call has`;
  }
  return undefined;
}
