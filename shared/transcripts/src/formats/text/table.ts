/** What stands between the columns of a table, and how errors call it. */
const SEPARATORS = [
  ['\t', 'tabs'],
  [',', 'commas'],
  [';', 'semicolons'],
] as const;

/** So many rows tell whether it is one. */
const ROWS = 50;
/** A longer first line has no names of columns. */
const MAX_HEADER = 500;
/** So much of a row is looked at, in characters. */
const MAX_ROW = 10_000;

/** Columns that exports of conversations have. */
const KNOWN_COLUMN =
  /^(?:id|date|time|timestamp|datetime|created_?at|sent_?at|user|user_?name|speaker|author|sender|from|to|name|role|channel|text|message|content|body|words|msg|日期|时间|用户|发送人|发送者|昵称|姓名|角色|内容|消息)$/iu;

/** The cells of a row; undefined where a separator has a blank after it, as in prose, or a quoted cell goes on below. */
function toCells(row: string, separator: string): readonly string[] | undefined {
  const cells = row
    .split(/("(?:[^"]|"")*")/u)
    .map((part, at) => (at % 2 === 1 ? part.replaceAll(separator, ' ') : part));
  const plain = cells.join('');
  if (separator !== '\t' && plain.includes(`${separator} `)) return undefined;
  return plain.split(separator).map((cell) => cell.trim().replace(/^"|"$/gu, ''));
}

const isColumnName = (cell: string): boolean => cell.length <= 40 && /^[\p{L}_][\p{L}\p{N}_ .()-]*$/u.test(cell);

function isTable(lines: readonly string[], separator: string): boolean {
  const [header, ...rows] = lines.map((line) => toCells(line.slice(0, MAX_ROW), separator));
  if (header === undefined || header.length < 2 || !header.every(isColumnName)) return false;
  const isKnown = header.filter((cell) => KNOWN_COLUMN.test(cell)).length >= 2;
  // Under known names one row is enough, and cells may hold what they like.
  if (isKnown && rows.length > 0) return true;
  return rows.length >= 2 && rows.every((cells) => cells?.length === header.length);
}

/** Fewer columns than these are prose with commas in it. */
const MIN_COLUMNS = 4;
const DAY_CELL = /^"?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ][\d:.]{4,12})?"?$/u;

/** Rows of a table without names above its columns, as Viber writes it: each begins with a day. */
function isBareTable(lines: readonly string[], separator: string): boolean {
  return lines.every((line) => {
    const cells = line.slice(0, MAX_ROW).split(separator);
    return cells.length >= MIN_COLUMNS && DAY_CELL.test(cells[0] ?? '');
  });
}

/** What stands between the columns, when lines are a table (CSV, TSV) with names above its columns. */
export function findTable(lines: readonly string[]): string | undefined {
  const first = lines.slice(0, ROWS).filter((line) => line.trim() !== '');
  if (first.length < 2 || (first[0] ?? '').length > MAX_HEADER) return undefined;
  return SEPARATORS.find(([separator]) => isTable(first, separator) || isBareTable(first, separator))?.[1];
}
