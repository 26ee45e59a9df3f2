/** Characters that a file name keeps; others, such as marks that turn the direction of a text, become `_`. */
const UNSAFE = /[^\p{L}\p{N}._-]/gu;
const toFileName = (name: string): string => name.replace(UNSAFE, '_').slice(0, 100);

/** Downloads bytes as a file. */
export function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = toFileName(name);
  link.click();
  // A browser may still ask where to save them.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A file that is written while it is downloaded. */
export interface OpenDownload {
  /** Resolves when there is room for more; rejects when the reader ended the download. */
  readonly write: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
  /** Ends the download as one that failed. */
  readonly abort: (reason: unknown) => Promise<void>;
}

const WORKER = '/assets/download-worker.js';
/** How long the worker that hands on the file may take to begin, in milliseconds. */
const MOST_WAITED_MS = 5_000;
/** How often the worker is told that more comes, in milliseconds. */
const ALIVE_MS = 10_000;

async function startWorker(): Promise<ServiceWorker> {
  const registration = await navigator.serviceWorker.register(WORKER);
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (worker === null) throw new Error('no worker');
  if (worker.state === 'activated') return worker;
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve());
  });
  return worker;
}

async function openStream(name: string, type: string, signal: AbortSignal): Promise<OpenDownload> {
  const worker = await startWorker();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const { port1, port2 } = new MessageChannel();
  const opened = new Promise<string>((resolve) => {
    port1.onmessage = ({ data }) => resolve(String(data));
  });
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(toFileName(name))}`,
  };
  worker.postMessage({ headers, body: readable }, [readable, port2]);
  const path = await opened;
  signal.throwIfAborted();
  // Saved as a file, it leaves the page where it is.
  location.href = path;
  const alive = setInterval(() => worker.postMessage({}), ALIVE_MS);
  const [writer, encoder] = [writable.getWriter(), new TextEncoder()];
  return {
    write: (text) => writer.write(encoder.encode(text)),
    close: () => writer.close().finally(() => clearInterval(alive)),
    abort: (reason) => writer.abort(reason).finally(() => clearInterval(alive)),
  };
}

/** Keeps all that is written until the end. */
function openWhole(name: string, type: string): OpenDownload {
  const parts: string[] = [];
  return {
    write: async (text) => void parts.push(text),
    close: async () => download(new Blob(parts, { type }), name),
    abort: async () => void parts.splice(0),
  };
}

/** Begins a download at once, whatever it becomes; where a browser cannot, outside of https for one, when all of it is written. */
export async function openDownload(name: string, type: string): Promise<OpenDownload> {
  if (!('serviceWorker' in navigator)) return openWhole(name, type);
  const signal = AbortSignal.timeout(MOST_WAITED_MS);
  const late = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
  });
  const opened = await Promise.race([openStream(name, type, signal).catch(() => undefined), late]);
  return opened ?? openWhole(name, type);
}
