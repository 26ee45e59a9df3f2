import {
  ContextloomError,
  EXPORT_USER,
  type ExportEverywherePage,
  exportPageSchema,
  type Unreached,
} from '@contextloom/contracts';
import { z } from 'zod';
import { type ArchiveDeps, askArchive, findElsewhere } from './ask-archive.ts';

/** Where an export of all servers goes on: at which server, and there with which cursor. */
const placeSchema = z.tuple([z.string(), z.string().nullable()]);
type Place = z.output<typeof placeSchema>;

const toPlace = (server: string, cursor: string): Place => [server, cursor];
const toCursor = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function parseCursor(cursor: string): Place {
  try {
    return placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    throw new ContextloomError('invalid', 'cursor must be the next_cursor of the page before', {
      field: 'cursor',
      cause,
    });
  }
}

/** What is exported, and from where on. */
export interface ExportRequest {
  readonly userId: string;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
  /** The servers that may have something, in their order. */
  readonly servers: readonly string[];
}

const nothing = { server: '', service: '', format: 'none', version: 1, lines: '' } as const;

/**
 * Reads the next page with lines of any server, beginning where the page before ended.
 * @throws ContextloomError `invalid` for a cursor of something else
 */
export async function exportFrom(
  { userId, cursor, signal, servers }: ExportRequest,
  deps: ArchiveDeps,
): Promise<ExportEverywherePage> {
  const [first, within] = cursor === undefined ? [servers[0] ?? '', null] : parseCursor(cursor);
  const unreached: (Unreached & { readonly server: string })[] = [];
  for (const [at, server] of servers.entries()) {
    if (server < first) continue;
    const args = { user_id: userId, ...(server === first && within !== null && { cursor: within }) };
    const answer = await askArchive(server, { tool: EXPORT_USER, args, output: exportPageSchema, signal }, deps);
    const elsewhere = answer.kind === 'none' ? await findElsewhere(server, signal, deps) : undefined;
    if (elsewhere !== undefined) unreached.push({ server, ...elsewhere });
    if (answer.kind === 'unreached') unreached.push({ server, what: 'everything that it stores', why: answer.why });
    if (answer.kind !== 'ok') continue;
    const { next_cursor: inner, unreached: missed, ...page } = answer.value;
    unreached.push(...missed.map((one) => ({ server, ...one })));
    const following = servers[at + 1];
    const after: Place | undefined = following === undefined ? undefined : [following, null];
    const next = inner === undefined ? after : toPlace(server, inner);
    if (page.lines === '' && inner === undefined) continue;
    const service = deps.upstreams.serviceOf(server) ?? server;
    return { server, service, ...page, unreached, ...(next && { next_cursor: toCursor(next) }) };
  }
  return { ...nothing, unreached };
}
