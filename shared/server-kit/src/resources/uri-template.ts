import { ContextloomError } from '@contextloom/contracts';
import { UriTemplate } from '@modelcontextprotocol/server';

/** The query expression that may end a template. Source: RFC 6570, section 3.2.8. */
const QUERY = /\{\?([^}]*)\}$/;

/** Whether a URI has variables. */
export function isTemplate(uri: string): boolean {
  return UriTemplate.isTemplate(uri);
}

/** Writes a URI of a template. */
export function expandTemplate(template: string, variables: Readonly<Record<string, string>>): string {
  return new UriTemplate(template).expand({ ...variables });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new ContextloomError('invalid', 'uri must be percent-encoded UTF-8', { field: 'uri', cause });
  }
}

/**
 * Builds what reads a template's variables from a URI, decoded; it answers undefined for a URI of another shape. The SDK's own
 * matching wants every query parameter, in order; RFC 6570 leaves out those without a value, so the query is read apart.
 */
export function createTemplateMatcher(template: string): (uri: string) => Readonly<Record<string, string>> | undefined {
  const query = QUERY.exec(template);
  const path = new UriTemplate(query === null ? template : template.slice(0, query.index));
  const queryNames = query?.[1]?.split(',') ?? [];
  return (uri) => {
    const [, before = uri, after = ''] = (query !== null && /^([^?]*)\?(.*)$/s.exec(uri)) || [];
    const matched = path.match(before);
    if (matched === null) return undefined;
    const given = new URLSearchParams(after);
    return Object.fromEntries([
      ...Object.entries(matched).map(([name, value]) => [name, decode(String(value))]),
      ...queryNames.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])),
    ]);
  };
}

/**
 * Takes bound variables out of a template: a value takes the place of `{name}`, and a query parameter is left out.
 * @throws Error when a bound variable stands in another kind of expression, a fault of the server's author
 */
export function bindTemplate(template: string, bound: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^}]*)\}/g, (expression, inner: string) => {
    const value = Object.hasOwn(bound, inner) ? bound[inner] : undefined;
    if (value !== undefined) return encodeURIComponent(value);
    const operator = /^[+#./;?&]?/.exec(inner)?.[0] ?? '';
    const names = inner.slice(operator.length).split(',');
    const open = names.filter((name) => !Object.hasOwn(bound, name.replace('*', '')));
    if (open.length === names.length) return expression;
    if (operator !== '?') throw new Error(`a bound variable must stand alone or in the query: ${template}`);
    return open.length === 0 ? '' : `{?${open.join(',')}}`;
  });
}
