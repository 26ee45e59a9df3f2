/** The style of the API reference: no font or image from elsewhere, light and dark, and readable on a phone. */
const PAGE_STYLE = `
  :root { color-scheme: light dark; --ink: #1c2330; --paper: #fff; --soft: #f5f7fa; --line: #dfe3ea; --faint: #5b6577; --accent: #2458a6; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #dfe4ee; --paper: #14181f; --soft: #1c222c; --line: #303846; --faint: #9aa5b8; --accent: #8fb6f5; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
  code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
  a { color: var(--accent); text-decoration: none; }
  a:hover { text-decoration: underline; }
  .page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 80rem; margin: 0 auto; }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1rem; border-right: 1px solid var(--line); }
  nav ul { list-style: none; margin: 0; padding: 0; }
  nav li { padding: 0.15rem 0; overflow-wrap: anywhere; }
  nav a { color: inherit; }
  main { padding: 2rem 2.5rem 4rem; }
  h1 { margin: 0 0 0.25rem; font-size: 1.75rem; }
  h2 { margin: 0; font-size: 1.1rem; }
  section { margin-top: 2.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
  .faint { color: var(--faint); }
  .method { display: inline-block; min-width: 4.2em; padding: 0 0.4em; border-radius: 4px; font: 600 0.75rem/1.6 ui-monospace, monospace;
    text-align: center; text-transform: uppercase; color: var(--accent); background: var(--soft); border: 1px solid var(--line); }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; margin: 0.75rem 0; font-size: 0.925rem; }
  caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
  th { font-weight: 500; color: var(--faint); }
  th, td { text-align: left; vertical-align: top; padding: 0.3rem 1rem 0.3rem 0; border-bottom: 1px solid var(--line); }
  td:first-child { white-space: nowrap; }
  pre { margin: 0.5rem 0; padding: 0.75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--soft); }
  @media (max-width: 50rem) {
    .page { display: block; }
    nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); }
    main { padding: 1.5rem 1rem 3rem; }
  }`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes text safe to stand between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Renders an HTML page without scripts or outside resources; `body` is HTML, the title is text. */
export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}
</style>
</head>
<body>
${body}
</body>
</html>
`;
}
