import type { Writable } from 'node:stream';

/** Lets the work go on after the reader of its output has ended, as in `… | head`; without this, Node ends with a stack trace. */
export function ignoreBrokenPipe({ stdout, stderr }: { readonly stdout: Writable; readonly stderr: Writable }): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
