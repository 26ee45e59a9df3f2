import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model hub on this machine, with the calls of Hugging Face's that a download makes. */
export interface ScriptedHub {
  readonly address: string;
  /** The paths of all requests so far. */
  readonly requests: readonly string[];
  /** Replaces what it sends for a file; what it says of the file stays. */
  readonly spoil: (path: string, content: Buffer) => void;
  readonly close: () => Promise<void>;
}

const REVISION = '0123456789abcdef0123456789abcdef01234567';

/** Large files are in LFS and have a SHA-256; others have the SHA-1 of a git blob. */
function toEntry(path: string, content: Buffer): object {
  const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  const entry = { type: 'file', path, size: content.length, oid };
  if (!path.endsWith('.onnx')) return entry;
  return { ...entry, lfs: { oid: createHash('sha256').update(content).digest('hex'), size: content.length } };
}

/** Starts a hub that has one model. */
export async function startScriptedHub(model: string, files: ReadonlyMap<string, Buffer>): Promise<ScriptedHub> {
  const requests: string[] = [];
  const sent = new Map(files);
  const entries = [...files].map(([path, content]) => toEntry(path, content));
  const answers = new Map<string, () => string | Buffer>([
    [`/api/models/${model}/revision/main`, () => JSON.stringify({ sha: REVISION })],
    [`/api/models/${model}/tree/${REVISION}?recursive=true`, () => JSON.stringify(entries)],
    ...[...files.keys()].map(
      (path) => [`/${model}/resolve/${REVISION}/${path}`, () => sent.get(path) ?? Buffer.alloc(0)] as const,
    ),
  ]);
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    const answer = answers.get(url);
    response.writeHead(answer === undefined ? 404 : 200).end(answer?.() ?? '');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    spoil: (path, content) => {
      sent.set(path, content);
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
