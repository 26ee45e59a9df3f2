import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createProgress } from '../../src/output/progress.ts';

describe('a progress bar', () => {
  it('shows how far the work is on a terminal and leaves the line clean', () => {
    const written: string[] = [];
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 100 });
    terminal.on('data', (chunk: Buffer) => written.push(chunk.toString()));
    const progress = createProgress(terminal, 'remembering');
    progress.update(1, 4);
    progress.update(4, 4);
    progress.stop();
    expect(written.join('')).toMatch(/remembering .*25% \| 1\/4/);
  });

  it('writes nothing where there is no terminal', () => {
    const written: string[] = [];
    const progress = createProgress({ write: (text) => written.push(text) }, 'remembering');
    progress.update(1, 4);
    progress.stop();
    expect(written).toEqual([]);
  });

  it('may be stopped before it began', () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    expect(() => createProgress(terminal, 'remembering').stop()).not.toThrow();
  });
});
