const CONTEXT = 2;

/** The lines that differ between two texts, which changed in one place: `-` and `+`, with two lines around them. */
export function toDifference(before: string, after: string): readonly string[] {
  const toLines = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));
  const [old, next] = [toLines(before), toLines(after)];
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail += 1;
  const shown = (mark: string, lines: readonly string[]): readonly string[] => lines.map((line) => `${mark} ${line}`);
  if (head === old.length && head === next.length) return [];
  return [
    ...shown(' ', next.slice(Math.max(0, head - CONTEXT), head)),
    ...shown('-', old.slice(head, old.length - tail)),
    ...shown('+', next.slice(head, next.length - tail)),
    ...shown(' ', next.slice(next.length - tail, next.length - tail + CONTEXT)),
  ];
}
