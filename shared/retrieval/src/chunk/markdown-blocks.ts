/** A block of Markdown as its place in the text: a heading and a paragraph have the blank lines that follow them. */
export interface Block {
  readonly kind: 'heading' | 'fence' | 'item' | 'text';
  readonly from: number;
  readonly to: number;
}

const opening = /^\s*(?<marks>`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}(?:\s|$)/;
const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const blank = /^\s*$/;

/** Whether a line ends the fenced code that the marks began: as many of the same, and nothing else (CommonMark 4.5). */
function isClosing(line: string, marks: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= marks.length && trimmed === marks.charAt(0).repeat(trimmed.length);
}

function kindOf(line: string): Block['kind'] {
  if (heading.test(line)) return 'heading';
  return item.test(line) ? 'item' : 'text';
}

/**
 * Cuts a text into headings, fenced code, list items and paragraphs; put together they are the text exactly. A fence that is
 * never closed goes on to the end.
 */
export function splitBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let current: { kind: Block['kind']; from: number } | undefined;
  let fence: string | undefined;
  let isAfterBlank = false;
  const close = (to: number): void => {
    if (current !== undefined && to > current.from) blocks.push({ ...current, to });
    current = undefined;
  };
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, end);
    const marks = opening.exec(line)?.groups?.['marks'];
    if (fence !== undefined) {
      if (isClosing(line, fence)) {
        close(end);
        fence = undefined;
      }
    } else if (marks !== undefined) {
      close(start);
      current = { kind: 'fence', from: start };
      fence = marks;
    } else if (blank.test(line)) {
      current ??= { kind: 'text', from: start };
    } else {
      const kind = kindOf(line);
      const goesOn = current !== undefined && !isAfterBlank && kind === 'text' && current.kind !== 'heading';
      if (!goesOn) close(start);
      current ??= { kind, from: start };
    }
    isAfterBlank = fence === undefined && blank.test(line);
    start = end;
  }
  close(text.length);
  return blocks;
}
