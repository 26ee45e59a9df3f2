import type { Sink } from '../reader.ts';
import { unreadable } from '../unreadable.ts';

/** The longest block that is read, in characters. */
const MAX_BLOCK = 8 * 1024 * 1024;

interface HtmlBlocks {
  /** What each block begins with; a page has something above the first. */
  readonly mark: string;
  /** What errors call a block, e.g. `activity`. */
  readonly name: string;
  /** Gets each block with its number, from 1; what stands above the first is number 0. */
  readonly onBlock: (block: string, number: number) => void;
  readonly onEnd?: () => void;
}

/** Cuts a page into the blocks that begin with a mark, and keeps one at a time. */
export function createHtmlBlocks({ mark, name, onBlock, onEnd }: HtmlBlocks): Sink {
  let rest = '';
  let number = 0;
  const take = (block: string): void => {
    if (block.startsWith(mark)) number += 1;
    onBlock(block, number);
  };
  return {
    write: (text) => {
      // The mark may stand across two pieces.
      const from = Math.max(1, rest.length - mark.length);
      rest += text;
      for (let at = rest.indexOf(mark, from); at >= 0; at = rest.indexOf(mark, 1)) {
        take(rest.slice(0, at));
        rest = rest.slice(at);
      }
      if (rest.length > MAX_BLOCK)
        throw unreadable(`${name} ${number + 1} is longer than ${MAX_BLOCK / 1024 / 1024} MB`);
    },
    end: () => {
      take(rest);
      onEnd?.();
    },
  };
}
