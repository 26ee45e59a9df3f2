import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, silentLog } from '@contextloom/runtime';
import { storeSettings } from '../../src/config.ts';
import type { Isolation, KnowledgeBase } from '../../src/domain/knowledge-base.ts';
import { openLocalKnowledgeBase } from '../../src/open-local.ts';
import type { ChromaServer } from './chroma-server.ts';
import { serveKnowledgeBase } from './serve.ts';

/** A knowledge base over a real store in a folder of its own. */
export interface TemporaryKnowledgeBase {
  readonly knowledgeBase: KnowledgeBase;
  readonly dataDir: string;
  readonly remove: () => Promise<void>;
}

/** Makes a folder under the system's temporary one. */
export const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'contextloom-kb-'));

const toPlace = (server: Pick<ChromaServer, 'url'> | { readonly databaseUrl: string }): Record<string, string> =>
  'url' in server
    ? { CHROMA_URL: server.url, CHROMA_COLLECTION: `kb-${randomUUID()}` }
    : { DATABASE_URL: server.databaseUrl };

/** Opens a knowledge base over a fresh store, in a folder, on a Chroma server or in a Postgres database, or over the one of the folder that is given. */
export async function openTemporary(
  isolation: Isolation = 'strict',
  server?: Pick<ChromaServer, 'url'> | { readonly databaseUrl: string },
  folder?: string,
): Promise<TemporaryKnowledgeBase> {
  const dataDir = folder ?? (await makeFolder());
  const knowledgeBase = await openLocalKnowledgeBase({
    ...readSettings(storeSettings, {
      KB_DATA_DIR: dataDir,
      KB_ISOLATION: isolation,
      ...(server !== undefined && toPlace(server)),
    }).values,
    clock: () => new Date(),
    newId: randomUUID,
    log: silentLog,
  });
  const remove = async (): Promise<void> => {
    await knowledgeBase.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { knowledgeBase, dataDir, remove };
}

/** What a test reads of an HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire brings
  readonly json: any;
}

/** A running HTTP service, and a short way to ask it. */
export interface TestService extends TemporaryKnowledgeBase {
  readonly url: string;
  readonly port: number;
  readonly ask: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
}

function toAnswer(status: number, headers: Headers, text: string): Answer {
  const isJson = headers.get('content-type')?.includes('json') === true && text !== '';
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Asks a service as a client would; a string body is sent as it stands. */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return toAnswer(response.status, response.headers, await response.text());
}

/** Asks with headers that fetch does not let a caller set, such as Host. */
export function askWithHeaders(url: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

/** Opens the HTTP service over a knowledge base on a free port. */
export const serveTemporary = (knowledgeBase: KnowledgeBase) =>
  serveKnowledgeBase({ knowledgeBase, allowedHosts: ['kb.example.org'], log: silentLog });

/** Starts the HTTP service on a free port over a store as `openTemporary` opens it. */
export async function startService(...store: Parameters<typeof openTemporary>): Promise<TestService> {
  const { knowledgeBase, dataDir, remove } = await openTemporary(...store);
  const endpoint = await serveTemporary(knowledgeBase);
  return {
    knowledgeBase,
    dataDir,
    url: endpoint.url,
    port: endpoint.port,
    ask: (method, path, body, headers) => ask(endpoint.url, method, path, body, headers),
    remove: async () => {
      await endpoint.close();
      await remove();
    },
  };
}
