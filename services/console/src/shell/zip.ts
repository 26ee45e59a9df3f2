import { strToU8, Zip, ZipDeflate } from 'fflate';

/** A ZIP that is being made in memory. */
export interface ZipFile {
  readonly add: (path: string, content: string | Uint8Array) => void;
  /** Ends it. */
  readonly toBlob: () => Blob;
}

/** Makes a ZIP of files. */
export function createZip(): ZipFile {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    parts.push(chunk as Uint8Array<ArrayBuffer>);
  });
  return {
    add: (path, content) => {
      const entry = new ZipDeflate(path, { level: 6 });
      zip.add(entry);
      entry.push(typeof content === 'string' ? strToU8(content) : content, true);
    },
    toBlob: () => {
      zip.end();
      return new Blob(parts, { type: 'application/zip' });
    },
  };
}
