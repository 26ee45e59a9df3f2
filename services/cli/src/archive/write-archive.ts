import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { ContextloomError } from '@contextloom/contracts';
import { Zip, ZipDeflate } from 'fflate';
import { MANIFEST, type Manifest } from './manifest.ts';

/** An entry that is being written. */
export interface ArchiveEntry {
  readonly write: (text: string) => Promise<void>;
  /** Ends it; answers the SHA-256 of all of it, in hex. */
  readonly end: () => Promise<string>;
}

/** An archive that is being written, one entry after the other. */
export interface ArchiveWriter {
  readonly add: (path: string) => ArchiveEntry;
  /** Writes the manifest, where it has one, and gives the archive its name. */
  readonly finish: (manifest?: Manifest) => Promise<void>;
  /** Leaves nothing behind. */
  readonly abandon: () => Promise<void>;
}

/** Opens a file for a ZIP; it is there under its name only when it is whole, and its owner alone may read it. */
export async function createArchiveWriter(file: string): Promise<ArchiveWriter> {
  const partial = `${file}.partial`;
  const stream = createWriteStream(partial, { mode: 0o600, flush: true });
  await once(stream, 'open').catch((cause: unknown) => {
    throw new ContextloomError('invalid', `${file} cannot be written`, { cause });
  });
  let failure: unknown;
  stream.on('error', (error) => {
    failure = error;
  });
  const zip = new Zip((error, chunk) => {
    if (error !== null) failure = error;
    else stream.write(chunk);
  });
  const drained = async (): Promise<void> => {
    if (failure === undefined && stream.writableNeedDrain) await once(stream, 'drain');
    if (failure !== undefined) throw new ContextloomError('no_space', `${file} cannot be written`, { cause: failure });
  };
  const add = (path: string): ArchiveEntry => {
    const entry = new ZipDeflate(path, { level: 6 });
    const hash = createHash('sha256');
    zip.add(entry);
    return {
      write: async (text) => {
        const bytes = Buffer.from(text);
        hash.update(bytes);
        entry.push(bytes);
        await drained();
      },
      end: async () => {
        entry.push(new Uint8Array(), true);
        await drained();
        return hash.digest('hex');
      },
    };
  };
  return {
    add,
    finish: async (manifest) => {
      if (manifest !== undefined) {
        const entry = add(MANIFEST);
        await entry.write(`${JSON.stringify(manifest, null, 2)}\n`);
        await entry.end();
      }
      zip.end();
      stream.end();
      await once(stream, 'close');
      await drained();
      await rename(partial, file);
    },
    abandon: async () => {
      stream.destroy();
      await rm(partial, { force: true });
    },
  };
}
