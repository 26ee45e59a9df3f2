import { applyEdits, type Edit, type Node } from 'jsonc-parser';

/** Where the first comma stands between two places, as an edit that takes it out; what comments say does not count. */
export function findComma(text: string, from: number, to: number): Edit | undefined {
  const gap = text.slice(from, to).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/gu, (one) => ' '.repeat(one.length));
  const at = gap.indexOf(',');
  return at === -1 ? undefined : { offset: from + at, length: 1, content: '' };
}

/** Writes a value behind the last one of an object or a list, before its closing bracket: no other line is laid out again. */
export function appendValue(
  text: string,
  { offset, length, children = [] }: Node,
  written: unknown,
  key?: string,
): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^[ \t]+(?=")/mu.exec(text)?.[0] ?? '  ';
  const outer = /^[ \t]*/u.exec(text.slice(text.lastIndexOf('\n', offset) + 1))?.[0] ?? '';
  const lines = `${key === undefined ? '' : `${JSON.stringify(key)}: `}${JSON.stringify(written, null, unit)}`;
  const block = lines.split('\n').map((line) => eol + outer + unit + line);
  const end = offset + length - 1;
  const last = children.at(-1);
  const inside = text.slice(0, end).trimEnd().length;
  const edits: Edit[] = [
    ...(last === undefined || findComma(text, last.offset + last.length, end) !== undefined
      ? []
      : [{ offset: last.offset + last.length, length: 0, content: ',' }]),
    { offset: inside, length: end - inside, content: `${block.join('')}${eol}${outer}` },
  ];
  return applyEdits(text, edits);
}
