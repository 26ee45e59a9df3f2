import type { ExportEverywherePage } from '@contextloom/contracts';
import { strToU8 } from 'fflate';
import { createZip } from '../shell/zip.ts';

type Missed = ExportEverywherePage['unreached'][number];

/** What is in an archive, and what is not. */
export interface ExportedUser {
  readonly archive: Blob;
  readonly unreached: readonly Missed[];
}

interface Store {
  readonly page: ExportEverywherePage;
  readonly pieces: Uint8Array[];
  records: number;
}

/** What a user's export is read by. */
export interface ExportOptions {
  /** Reads one page. @throws CallError */
  readonly readPage: (cursor: string | undefined) => Promise<ExportEverywherePage>;
  /** Gets from which server lines come now. */
  readonly onServer: (server: string) => void;
}

const countLines = (text: string): number => text.split('\n').length - 1;

async function readStores({ readPage, onServer }: ExportOptions) {
  const stores: Store[] = [];
  const unreached = new Map<string, Missed>();
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await readPage(cursor);
    cursor = page.next_cursor;
    for (const one of page.unreached) unreached.set(JSON.stringify(one), one);
    if (page.lines === '') continue;
    const known = stores.at(-1);
    const store = known?.page.server === page.server ? known : { page, pieces: [], records: 0 };
    if (store !== known) stores.push(store);
    store.pieces.push(strToU8(page.lines));
    store.records += countLines(page.lines);
    onServer(page.server);
  }
  return { stores, unreached: [...unreached.values()] };
}

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

async function toSha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether this browser makes the checksums of an archive: it does so on https and on this machine alone. */
export const canExport = (): boolean => globalThis.isSecureContext;

/**
 * Makes the archive that `contextloom export` writes, of one user; `contextloom import` takes it in again.
 * Source of its form: docs/archive.md.
 */
export async function exportUser(user: string, options: ExportOptions): Promise<ExportedUser> {
  const { stores, unreached } = await readStores(options);
  const zip = createZip();
  const listed = [];
  for (const { page, pieces, records } of stores) {
    const { server, service, format, version } = page;
    const bytes = join(pieces);
    const file = `users/1/${encodeURIComponent(server)}.jsonl`;
    zip.add(file, bytes);
    listed.push({ file, server, service, format, version, records, sha256: await toSha256(bytes) });
  }
  const manifest = { format: 'contextloom-archive', version: 1, users: [{ user_id: user, stores: listed }], unreached };
  zip.add('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
  return { archive: zip.toBlob(), unreached };
}
