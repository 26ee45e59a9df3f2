import type { Principal } from '@contextloom/access';
import { toPrincipalMeta } from '@contextloom/mcp-client';
import type { Log } from '@contextloom/runtime';
import { type ClientCapabilities, isSpecType, ProtocolError } from '@modelcontextprotocol/client';
import { toEnvelope } from './envelope.ts';
import type { FirstList, Item, Link, ListKind, OpenLink } from './provider.ts';
import { metaOf, type Raw, withMeta } from './rpc.ts';

/** Deepest nesting of an entry: deeper ones can be parsed, but not checked or written again. */
const MAX_DEPTH = 128;

/** Whether an entry is what the protocol calls one. */
const isOf: Readonly<Record<ListKind, (item: unknown) => boolean>> = {
  tools: (item) => isSpecType.Tool(item) && isNamedSchema(item.inputSchema) && isNamedSchema(item.outputSchema),
  prompts: isSpecType.Prompt,
  resources: isSpecType.Resource,
  resourceTemplates: isSpecType.ResourceTemplate,
};

/**
 * The entries of a list that every client can read. One that is no entry would have clients refuse the whole list, with what all
 * other servers have in it.
 */
function toSoundItems(kind: ListKind, listed: unknown): readonly Item[] {
  if (!Array.isArray(listed)) return [];
  return listed.filter((item: unknown): item is Item => isWithinDepth(item, MAX_DEPTH) && isOf[kind](item));
}

/** The revision 2026-07-28 reads the dialect of a schema. */
function isNamedSchema(schema: Item | undefined): boolean {
  return ['undefined', 'string'].includes(typeof schema?.['$schema']);
}

function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isWithinDepth(part, depth - 1));
}

/** What the lists of one server are requested with. */
export interface ListsOptions {
  readonly server: string;
  readonly link: Link;
  /** Whose lists they are: a first-party server leaves out what is not for this caller, also the parameters that it would fill in. */
  readonly principal: Principal;
  /** What the client can do, with which its connection is opened. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** How long a list waits for its server, in milliseconds; later answers are passed to `onLate`. */
  readonly patienceMs: number;
  /** How long the server may take, its start included, in milliseconds. */
  readonly deadlineMs: number;
  /** Called for a list that came, or changed, after somebody got it without. */
  readonly onLate: (kind: ListKind) => void;
  /** Aborted when the client is gone. */
  readonly closing: AbortSignal;
  readonly log: Log;
}

/** What the lists of a connection need to know of it. */
export interface ListsLink {
  /** Called with a connection before its first request. */
  readonly greet: (open: OpenLink, signal: AbortSignal) => Promise<void>;
  /** Whether the server reports changes of a list. */
  readonly reports: (open: OpenLink, kind: ListKind) => boolean;
}

/** The lists of one server, as last seen. */
export interface Lists {
  readonly get: (kind: ListKind) => Promise<readonly Item[]>;
  /** Waits for a list that never came until it does, fails, or nobody waits any more; answers why it is not there. */
  readonly first: (kind: ListKind, signal: AbortSignal) => Promise<FirstList>;
  /** Has lists asked for again at the next need; all of them where none is named. */
  readonly expire: (kind?: ListKind) => void;
  /** Forgets what was listed, also what is being requested: it may be another server from now on. */
  readonly forget: () => void;
}

const methods: Readonly<Record<ListKind, string>> = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
};

/** More pages than any list has: a server that never ends is cut off. */
const MAX_PAGES = 1_000;

interface Known {
  readonly items: readonly Item[];
  isFresh: boolean;
}

/** Keeps what a server listed for as long as it says that it would tell of changes. A server that failed is not waited for again. */
export function createLists(options: ListsOptions & ListsLink): Lists {
  const {
    server,
    link,
    principal,
    capabilities = {},
    patienceMs,
    deadlineMs,
    onLate,
    closing,
    log,
    greet,
    reports,
  } = options;
  const known = new Map<ListKind, Known>();
  const asking = new Map<ListKind, Promise<void>>();
  const missed = new Set<ListKind>();
  const reasons = new Map<ListKind, string>();
  let isInTrouble = false;
  let generation = 0;

  async function ask(kind: ListKind): Promise<void> {
    const asker = generation;
    const meta = link.trust === 'first-party' ? metaOf(toPrincipalMeta({ principal })) : {};
    const outcome = await link.use({ timeoutMs: deadlineMs, signal: closing, capabilities }, async (open, signal) => {
      await greet(open, signal);
      const isFresh = reports(open, kind); // From before the list is read, so that no change is missed.
      const { items, left } = await readAll(open, kind, { signal, meta, capabilities });
      if (left > 0)
        log.warn({ server, kind, left }, `${left} of the ${kind} of ${server} cannot be read and are left out`);
      return { items, isFresh };
    });
    if (asker !== generation) return;
    asking.delete(kind);
    isInTrouble = outcome.kind !== 'ok';
    if (outcome.kind !== 'ok') {
      reasons.set(kind, outcome.reason);
      log.warn({ server, reason: outcome.reason }, `${kind} of ${server} are not listed`);
      return;
    }
    known.set(kind, outcome.value);
    if (missed.delete(kind)) onLate(kind);
  }

  function askOnce(kind: ListKind): Promise<void> {
    const running = asking.get(kind) ?? ask(kind);
    asking.set(kind, running);
    return running;
  }

  return {
    forget: () => {
      generation += 1;
      isInTrouble = false;
      known.clear();
      asking.clear();
    },
    expire: (kind) => {
      for (const [one, list] of known) if (kind === undefined || one === kind) list.isFresh = false;
    },
    get: async (kind) => {
      const last = known.get(kind);
      if (last?.isFresh === true) return last.items;
      // A server that is being started again has a list that was good a moment ago.
      const isRestarting = last !== undefined && !link.isOpen();
      const isWaitedFor = !isInTrouble && !isRestarting;
      const running = askOnce(kind);
      const isThere = isWaitedFor && (await isWithin(running, patienceMs));
      if (!isThere) missed.add(kind);
      isInTrouble ||= !isThere;
      return known.get(kind)?.items ?? [];
    },
    first: async (kind, signal) => {
      if (known.has(kind)) return 'known';
      await untilAborted(askOnce(kind), signal);
      return known.has(kind) ? 'came' : { reason: reasons.get(kind) ?? 'has not listed anything yet' };
    },
  };
}

/** Waits for work until the signal is aborted; the work goes on. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([work, aborted]);
  signal.removeEventListener('abort', stop);
}

async function isWithin(running: Promise<void>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([running.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly capabilities: ClientCapabilities;
  readonly meta: Raw;
}

interface Read {
  readonly items: readonly Item[];
  /** How many entries cannot be passed on. */
  readonly left: number;
}

/** Reads all pages of a list. */
async function readAll(open: OpenLink, kind: ListKind, { signal, meta, capabilities }: ReadOptions): Promise<Read> {
  const { channel, era } = open;
  const offered = open.capabilities[kind === 'resourceTemplates' ? 'resources' : kind];
  if (offered === undefined) return { items: [], left: 0 };
  const pages: (readonly Item[])[] = [];
  let left = 0;
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const page: Raw | undefined = cursor === undefined ? undefined : { cursor };
    const envelope = era === 'modern' ? toEnvelope({ capabilities }, open) : {};
    const params = withMeta(page, { ...envelope, ...meta });
    const answer = await channel.request({ method: methods[kind], params }, { signal });
    if ('error' in answer) {
      // Not every server that has resources has templates.
      if (pages.length === 0 && answer.error.code === METHOD_NOT_FOUND) break;
      throw new ProtocolError(answer.error.code, `${methods[kind]} was refused`);
    }
    const listed = answer.result[kind];
    const sound = toSoundItems(kind, listed);
    pages.push(sound);
    left += Array.isArray(listed) ? listed.length - sound.length : 0;
    cursor = answer.result['nextCursor'];
    if (cursor === undefined || cursor === null) break;
  }
  return { items: pages.flat(), left };
}

const METHOD_NOT_FOUND = -32_601;
