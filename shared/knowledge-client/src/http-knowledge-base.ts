import {
  addManyResponseSchema,
  changedResponseSchema,
  countWaitingAnswerSchema,
  DOCUMENT_LINES,
  type DocumentAddress,
  deletedResponseSchema,
  documentResponseSchema,
  doneResponseSchema,
  exportPageSchema,
  followChangeContract,
  forgetUserAnswerSchema,
  healthResponseSchema,
  importReportSchema,
  type KnowledgeBase,
  listResponseSchema,
  listUsersAnswerSchema,
  rebuildResponseSchema,
  searchResponseSchema,
  statsResponseSchema,
} from '@contextloom/contracts';
import { createHttpCall, type HttpCallOptions } from './http-call.ts';

/** What the HTTP adapter is built from. */
export interface HttpKnowledgeBaseOptions
  extends Pick<HttpCallOptions, 'url' | 'setting' | 'log' | 'authorize' | 'rateLimitWaits'> {
  readonly fetch?: HttpCallOptions['fetch'];
  /** How long a call may take, in milliseconds; a rebuild of the index may take longer. */
  readonly timeoutMs?: number;
  /** Pauses before further tries of a call whose connection failed, in milliseconds; one try at once by default. */
  readonly retryDelaysMs?: readonly number[];
  /** Makes ids for documents that have none, so that an add repeated over a broken connection stores nothing twice. */
  readonly newId: () => string;
}

const USUAL_TIMEOUT_MS = 30_000;
/** An index over many documents takes minutes to make, and a large file to be rewritten. */
const REBUILD_TIMEOUT_MS = 600_000;

function toPath({ id, userId }: DocumentAddress, more: Readonly<Record<string, string>> = {}): string {
  return `/documents/${encodeURIComponent(id)}${toUserQuery(userId, more)}`;
}

function toUserQuery(userId: string | undefined, more: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries({ ...(userId !== undefined && { user_id: userId }), ...more });
  return fields.length === 0 ? '' : `?${fields.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
}

const toCondition = ({ version, userId, isOwn }: DocumentAddress) => ({
  ifMatch: version === undefined ? undefined : `"${version}"`,
  onlyUser: isOwn === true ? userId : undefined,
});

/** The knowledge base of another process, over its HTTP service; its errors arrive with the same code and words. */
export function createHttpKnowledgeBase(options: HttpKnowledgeBaseOptions): KnowledgeBase {
  const { newId, ...rest } = options;
  const call = createHttpCall({ fetch: globalThis.fetch, timeoutMs: USUAL_TIMEOUT_MS, retryDelaysMs: [0], ...rest });
  const order = { method: 'POST', repeatable: true } as const;
  const find: KnowledgeBase['find'] = async (request) => {
    const { success: _, ...found } = await call({
      ...order,
      path: '/search',
      body: request,
      answer: searchResponseSchema,
    });
    return found;
  };
  return {
    add: async (documents) => {
      const named = documents.map((document) => ({ ...document, doc_id: document.doc_id ?? newId() }));
      const body = { documents: named };
      return (await call({ ...order, path: '/batch_add', body, answer: addManyResponseSchema })).document_ids;
    },
    search: async (request) => (await find(request)).results,
    find,
    list: async (request) => {
      const path = '/documents/list';
      const { success: _, ...page } = await call({ ...order, path, body: request, answer: listResponseSchema });
      return page;
    },
    get: async (address) => {
      const path = toPath(address);
      const answer = documentResponseSchema;
      return (await call({ method: 'GET', path, answer, repeatable: true })).document;
    },
    update: async (address, patch) => {
      const request = { method: 'PATCH', path: toPath(address), body: patch, ...toCondition(address) } as const;
      const answer = changedResponseSchema;
      const { document, consequences } = await call({ ...request, answer, repeatable: false });
      return { ...document, ...(consequences && { consequences }) };
    },
    delete: async (address, { retract = true } = {}) => {
      const path = toPath(address, retract ? {} : { retract: 'false' });
      const request = { method: 'DELETE', path, ...toCondition(address) } as const;
      return (await call({ ...request, answer: deletedResponseSchema, repeatable: false })).consequences ?? [];
    },
    stats: async (userId) => {
      const path = `/stats${toUserQuery(userId)}`;
      return (await call({ method: 'GET', path, answer: statsResponseSchema, repeatable: true })).stats;
    },
    health: async () => {
      return (await call({ method: 'GET', path: '/health', answer: healthResponseSchema, repeatable: true })).store;
    },
    save: async () => {
      await call({ ...order, path: '/save', answer: doneResponseSchema });
    },
    rebuildIndex: async () => {
      const timing = { timeoutMs: REBUILD_TIMEOUT_MS };
      return (await call({ ...order, ...timing, path: '/rebuild_index', answer: rebuildResponseSchema }))
        .document_count;
    },
    forget: async (userId, isDryRun) => {
      const body = { user_id: userId, dry_run: isDryRun };
      const timing = { timeoutMs: REBUILD_TIMEOUT_MS };
      return call({ ...order, ...timing, path: '/forget_user', body, answer: forgetUserAnswerSchema });
    },
    follow: async ({ userId, isDryRun, ...request }) => {
      const body = { ...request, user_id: userId, dry_run: isDryRun };
      const answer = followChangeContract.output;
      return (await call({ ...order, path: '/follow_change', body, answer })).consequences;
    },
    countWaiting: async () => {
      const order = { method: 'GET', path: '/waiting', repeatable: true } as const;
      return (await call({ ...order, answer: countWaitingAnswerSchema })).waiting_count;
    },
    users: async (page) => call({ ...order, path: '/list_users', body: page, answer: listUsersAnswerSchema }),
    exportUser: async (userId, cursor) => {
      const body = { user_id: userId, ...(cursor !== undefined && { cursor }) };
      return call({ ...order, path: '/export_user', body, answer: exportPageSchema });
    },
    importUser: async (userId, lines) => {
      const body = { user_id: userId, ...DOCUMENT_LINES, lines: lines.map((line) => `${line}\n`).join('') };
      const timing = { timeoutMs: REBUILD_TIMEOUT_MS };
      return call({ ...order, ...timing, path: '/import_user', body, answer: importReportSchema });
    },
    // Nothing to close: the connections belong to fetch, and the store to the other process.
    close: async () => undefined,
  };
}
