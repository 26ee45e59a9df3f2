import { LINES_TYPE, readsLines } from '../../route/route.ts';
import type { ApiDescription } from './openapi.ts';
import { errorsOf, hasBody, type ShownRoute, statusesOf, toOperationId } from './operation.ts';
import { escapeHtml, renderPage } from './page.ts';
import { listSchemaFields, type SchemaField } from './schema-fields.ts';

/** The call that the reference shows: a given example, or the bare call of a route that takes nothing. */
interface ShownExample {
  readonly call: string;
  readonly answer?: string;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function toUrl(baseUrl: string, path: string, params: Readonly<Record<string, unknown>>): string {
  const inPath = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (path.split('/').includes(`:${name}`)) continue;
    for (const item of [value].flat()) query.append(name, String(item));
  }
  return `${baseUrl}${inPath}${query.size === 0 ? '' : `?${query}`}`;
}

/** Writes a route's example as a call of curl and its answer; undefined when it has none and needs input. */
function toShownExample(route: ShownRoute, baseUrl: string, hasToken: boolean): ShownExample | undefined {
  const { example, method, path } = route;
  const takesNothing = Object.keys(route.params.shape).length === 0 && !hasBody(route);
  if (example === undefined && !takesNothing) return undefined;
  const url = toUrl(baseUrl, path, (example?.params ?? {}) as Readonly<Record<string, unknown>>);
  const body = example?.body;
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quote(url)}`,
    ...(hasToken ? [`-H 'Authorization: Bearer <token>'`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body, null, 2))}`]),
  ];
  return {
    call: parts.join(' \\\n  '),
    ...(example !== undefined && { answer: JSON.stringify(example.answer, null, 2) }),
  };
}

function renderFields(caption: string, presence: string, fields: readonly SchemaField[]): string {
  if (fields.length === 0) return '';
  const head = ['Field', 'Type', presence, 'Meaning'].map((text) => `<th scope="col">${text}</th>`).join('');
  const rows = fields.map(({ name, type, required, description }) => {
    const cells = [
      `<code>${escapeHtml(name)}</code>`,
      escapeHtml(type),
      required ? 'yes' : '',
      escapeHtml(description),
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<div class="scroll"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** What a route reads or answers that is not JSON. */
function renderText(route: ShownRoute): string {
  const reads = readsLines(route) ? `<p>The body is JSON Lines, <code>${LINES_TYPE}</code>.</p>` : '';
  return `${reads}${route.produces === undefined ? '' : `<p>Answers <code>${escapeHtml(route.produces)}</code>.</p>`}`;
}

function renderStatuses(route: ShownRoute, { errors, hasToken }: ApiDescription): string {
  const answers = Object.entries(statusesOf(route)).map(([status, meaning]) => `${status} ${escapeHtml(meaning)}`);
  const failures = errorsOf(route, hasToken)
    .map((code) => `${errors.statusOf(code)} <code>${code}</code>`)
    .sort();
  return `<p class="faint">Statuses: ${[...answers, ...failures].join(' · ')}</p>`;
}

function renderExample(route: ShownRoute, { hasToken }: ApiDescription, baseUrl: string): string {
  const example = toShownExample(route, baseUrl, hasToken);
  if (example === undefined) return '';
  const answer = example.answer === undefined ? '' : `<pre>${escapeHtml(example.answer)}</pre>`;
  return `<pre>${escapeHtml(example.call)}</pre>${answer}`;
}

const toTitle = ({ method, path }: ShownRoute): string =>
  `<span class="method">${method}</span> <code>${escapeHtml(path)}</code>`;

function renderRoute(route: ShownRoute, api: ApiDescription, baseUrl: string): string {
  return [
    `<section id="${toOperationId(route)}"><h2>${toTitle(route)}</h2>`,
    `<p>${escapeHtml([route.summary, route.note].filter(Boolean).join(' '))}</p>`,
    renderExample(route, api, baseUrl),
    renderFields('Parameters', 'Required', listSchemaFields(route.params, 'input')),
    renderFields('Body (JSON)', 'Required', listSchemaFields(route.body, 'input')),
    renderFields('Answer', 'Always', listSchemaFields(route.answer, 'output')),
    renderText(route),
    renderStatuses(route, api),
    '</section>',
  ].join('\n');
}

function renderIntroduction({ title, description, version, errors, hasMcp, hasToken }: ApiDescription): string {
  const token = hasToken
    ? '<p>Every call but this page needs <code>Authorization: Bearer &lt;token&gt;</code>.</p>'
    : '';
  const mcp = hasMcp ? ' The same server speaks MCP at <code>/mcp</code>.' : '';
  return `<h1>${escapeHtml(title)}</h1>
<p class="faint">HTTP API, version ${escapeHtml(version)} · <a href="/openapi.json">OpenAPI 3.1</a></p>
<p>${escapeHtml(description)}${mcp}</p>
<p>Bodies are JSON with <code>Content-Type: application/json</code>; a field given as <code>null</code> counts as absent.</p>${token}
${renderFields('Every error answers', 'Always', listSchemaFields(errors.schema, 'output'))}`;
}

/** Renders the reference of an API, as one HTML page without scripts or outside resources; `baseUrl` stands in its examples. */
export function renderApiPage(api: ApiDescription, baseUrl: string): string {
  const links = api.routes.map((route) => `<li><a href="#${toOperationId(route)}">${toTitle(route)}</a></li>`);
  const body = `<div class="page">
<nav aria-label="Routes"><ul>
${links.join('\n')}
</ul></nav>
<main>
${renderIntroduction(api)}
${api.routes.map((route) => renderRoute(route, api, baseUrl)).join('\n')}
</main>
</div>`;
  return renderPage(`${api.title}: HTTP API`, body);
}
