import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { localPrincipal, senderOf } from '@contextloom/access';
import type { Express, Request, RequestHandler, Response } from 'express';

/** A page that a browser shows: `index.html`, served at `/`, and the files that it loads, served below `/assets/`. */
export interface Site {
  /** Answers `/` and `/assets/…`; everything else goes on to the next handler. */
  readonly handle: RequestHandler;
}

/** In `index.html`: where the nonce stands that lets the page's own code add styles. */
const NONCE_MARK = '{{nonce}}';
const ASSETS = '/assets/';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

interface Asset {
  readonly body: Buffer;
  readonly zipped: Buffer;
  readonly type: string;
}

/** Nothing from elsewhere, nothing inline, in no frame. Styles that the page's code adds carry the nonce of the answer. */
const toPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Reads a built page into memory: its `index.html`, and the files in `assets/`, whose names change with what is in them.
 * @returns undefined where the page is not built
 */
export async function openSite(folder: string): Promise<Site | undefined> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch((error: unknown) => {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  });
  if (page === undefined) return undefined;
  const assets = new Map<string, Asset>();
  for (const name of await readdir(join(folder, 'assets'))) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const body = await readFile(join(folder, 'assets', name));
    assets.set(`${ASSETS}${name}`, { body, type, zipped: await promisify(gzip)(body) });
  }
  const served = { page, assets };
  return {
    handle: (request, response, next) => {
      if (!answer(served, request, response)) next();
    },
  };
}

interface Served {
  readonly page: string;
  /** By path. */
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Whether the path is one of the page's. */
function answer({ page, assets }: Served, request: Request, response: Response): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const asset = assets.get(request.path);
  if (asset !== undefined) sendAsset(asset, request, response);
  else if (request.path === '/') sendPage(page, response);
  else return false;
  return true;
}

function sendPage(page: string, response: Response): void {
  const nonce = randomBytes(16).toString('base64');
  response.set({
    'Content-Security-Policy': toPolicy(nonce),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
  response.type('html').send(page.replaceAll(NONCE_MARK, nonce));
}

function sendAsset({ body, zipped, type }: Asset, request: Request, response: Response): void {
  const isZipped = request.acceptsEncodings('gzip') === 'gzip';
  response.set({
    'Content-Type': type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ...(isZipped && { 'Content-Encoding': 'gzip' }),
  });
  response.send(isZipped ? zipped : body);
}

/** Adds `GET /session`: who the caller is, so that the page can show what this caller may do. Callers are known by then. */
export function addSessionRoute(app: Express, isAuthRequired: () => boolean): void {
  app.get('/session', (_request, response) => {
    const { name, users, projects, scopes } = senderOf(response) ?? localPrincipal;
    response.set('Cache-Control', 'no-store').json({ name, users, projects, scopes, asked: isAuthRequired() });
  });
}
