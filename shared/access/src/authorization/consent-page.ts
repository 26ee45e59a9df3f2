import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ConsentError, ConsentTexts } from './texts.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => entities[one] ?? one);

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 30rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } dt { margin-top: .8rem; font-weight: 600 } dd { margin: 0 }
label { display: block; margin-top: 1rem; font-weight: 600 } small { display: block; opacity: .75 }
input { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit }
button { margin: 1.5rem .5rem 0 0; padding: .5rem 1.5rem; font: inherit }
[role=alert] { border-left: .3rem solid #c00; padding-left: .7rem } code { overflow-wrap: anywhere }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** What the page shows. */
export interface ConsentView {
  readonly client: string;
  /** The host whose document describes the program, where it is one that is published. */
  readonly publisher: string | undefined;
  readonly redirectUri: string;
  readonly scopes: readonly ('read' | 'write')[];
  readonly user?: string;
  readonly error?: ConsentError;
}

/** Nothing from elsewhere, no scripts, in no frame; the form leads here, and from here to where the program waits for it. */
function toHeaders(formAction: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // The form has to say where it comes from.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}

const renderPage = ({ lang, title }: Pick<ConsentTexts, 'lang' | 'title'>, body: string): string =>
  `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`;

/** An address of an application on the person's machine has no host. */
const toPlace = (uri: string): string => new URL(uri).host || new URL(uri).protocol;

/** Shows who asks for what, and asks for the person's key. */
export function sendConsent(response: ServerResponse, texts: ConsentTexts, view: ConsentView): void {
  const { client, publisher, redirectUri, scopes, user = '', error } = view;
  const { origin, protocol } = new URL(redirectUri);
  const body = `${error === undefined ? '' : `<p role="alert">${escapeHtml(texts.errors[error])}</p>`}
<p>${escapeHtml(texts.asks(client))}</p>
<p><small>${escapeHtml(publisher === undefined ? texts.unproven : texts.published(publisher))}</small></p>
<dl><dt>${texts.sentTo}</dt><dd><code>${escapeHtml(toPlace(redirectUri))}</code></dd>
<dt>${texts.may}</dt>${scopes.map((scope) => `<dd>${texts.scopes[scope]}</dd>`).join('')}</dl>
<form method="post">
<label for="key">${texts.key}</label><input id="key" name="key" type="password" autocomplete="current-password" autofocus>
<small>${escapeHtml(texts.keyHint)}</small>
<label for="user">${texts.user}</label><input id="user" name="user" autocomplete="off" value="${escapeHtml(user)}">
<small>${escapeHtml(texts.userHint)}</small>
<button name="decision" value="allow">${texts.allow}</button><button name="decision" value="deny">${texts.deny}</button>
</form>`;
  const status = error === undefined ? 200 : error === 'often' ? 429 : 400;
  // A browser holds the form against where the answer leads as well.
  response.writeHead(status, toHeaders(`'self' ${origin === 'null' ? protocol : origin}`));
  response.end(renderPage(texts, body));
}

/** Says why a person cannot go on, where there is nowhere to send them back to. */
export function toErrorPage(
  texts: ConsentTexts,
  message: string,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const page = renderPage({ ...texts, title: texts.failed }, `<p role="alert">${escapeHtml(message)}</p>`);
  return { headers: toHeaders("'none'"), body: page };
}
