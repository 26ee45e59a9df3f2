import type { Route } from './route.ts';
import { listSchemaFields, type SchemaField } from './schema-fields.ts';

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2330; background: #fff; }
  code { font: 0.9em ui-monospace, monospace; }
  h2 { margin-top: 2.5rem; border-top: 1px solid #d5dae3; padding-top: 1rem; }
  .method { text-transform: uppercase; color: #2458a6; }
  table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; }
  caption { text-align: left; font-weight: 600; padding: 0.5rem 0; }
  th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #e8ebf0; }
  @media (prefers-color-scheme: dark) { body { color: #dfe4ee; background: #14181f; } .method { color: #8fb6f5; } }`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function renderField({ name, type, required, description }: SchemaField): string {
  const cells = [`<code>${escapeHtml(name)}</code>`, escapeHtml(type), required ? 'yes' : '', escapeHtml(description)];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function renderFields(caption: string, presence: string, fields: readonly SchemaField[]): string {
  if (fields.length === 0) return '';
  const head = `<tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">${presence}</th><th scope="col">Meaning</th></tr>`;
  return `<table><caption>${caption}</caption><thead>${head}</thead><tbody>${fields.map(renderField).join('')}</tbody></table>`;
}

function renderRoute(route: Route): string {
  return [
    `<h2><span class="method">${route.method}</span> <code>${escapeHtml(route.path)}</code></h2>`,
    `<p>${escapeHtml([route.summary, route.note].filter(Boolean).join(' '))}</p>`,
    renderFields('Parameters', 'Required', listSchemaFields(route.params, 'input')),
    renderFields('Body (JSON)', 'Required', listSchemaFields(route.body, 'input')),
    renderFields('Answer', 'Always', listSchemaFields(route.answer, 'output')),
  ].join('\n');
}

/** Renders the API reference from the routes themselves, as one HTML page without scripts or outside resources. */
export function renderApiPage(routes: readonly Route[], version: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contextloom knowledge base: HTTP API</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>Contextloom knowledge base</h1>
<p>HTTP API, version ${escapeHtml(version)}. Bodies are JSON with <code>Content-Type: application/json</code>; a field given
as <code>null</code> counts as absent. An error answers <code>{"success": false, "error": {"code", "message"}, "detail"}</code>;
status 422 names the field that is wrong. The same tools are served over MCP at <code>/mcp</code>.</p>
${routes.map(renderRoute).join('\n')}
</body>
</html>
`;
}
