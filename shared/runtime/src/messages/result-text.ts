import { isAscii, isUtf8 } from 'node:buffer';

/** A smaller answer is written as fast as its text is found, in bytes. */
const LEAST_BYTES = 16_384;
/** As much of either end of an answer as its other members take, in bytes. */
const END_BYTES = 256;

/** Our own ids, which are whole numbers. */
const ID = String.raw`"id" ?: ?(0|[1-9]\d{0,14})`;
const VERSION = String.raw`"jsonrpc" ?: ?"2\.0"`;
/** What stands around the result of an answer, as the SDKs write it: with the result as its last member, or as its first. */
const SHAPES = [
  { head: new RegExp(String.raw`^\{ ?${VERSION}, ?${ID}, ?"result" ?: ?(?=\{)`), tail: /\}$/ },
  { head: /^\{ ?"result" ?: ?(?=\{)/, tail: new RegExp(String.raw`(?<=\}), ?${VERSION}, ?${ID} ?\}$`) },
] as const;

/** Where the members of a result have its text, which no copy of them and no JSON has. */
const TEXT = Symbol('result text');

interface ResultText {
  readonly result: object;
  readonly text: Buffer;
}

/** A large answer to a request; its result comes with its text. */
interface LargeAnswer {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly result: object;
}

/**
 * Reads a large answer so that its result can be passed on as the text that it came as: to write a megabyte again takes longer than
 * to send it. Undefined for any other message, which is for the usual way.
 */
export function readLargeAnswer(bytes: Buffer): LargeAnswer | undefined {
  if (bytes.length < LEAST_BYTES) return undefined;
  const start = bytes.toString('latin1', 0, END_BYTES);
  const end = bytes.toString('latin1', bytes.length - END_BYTES);
  for (const shape of SHAPES) {
    const [head, tail] = [shape.head.exec(start), shape.tail.exec(end)];
    if (head === null || tail === null) continue;
    const text = bytes.subarray(head[0].length, bytes.length - tail[0].length);
    const result = parse(text);
    if (result === undefined) return undefined;
    keep({ result, text });
    return { jsonrpc: '2.0', id: Number(head[1] ?? tail[1]), result };
  }
  return undefined;
}

/** Parsed by itself, so that its text is one value: members after it could take the place of the answer's own id. */
function parse(text: Buffer): object | undefined {
  if (!isUtf8(text)) return undefined;
  try {
    return JSON.parse(isAscii(text) ? text.toString('latin1') : text.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** In a member, since the result itself is copied where it is validated. */
function keep(read: ResultText): void {
  const member = Object.values(read.result).find(isObject);
  if (member !== undefined) Object.defineProperty(member, TEXT, { value: read });
}

/** The text of a result that has the members that were read, all of them and no other; undefined for any other result. */
export function resultTextOf(result: object): Buffer | undefined {
  const member = Object.values(result).find(isObject);
  const read: ResultText | undefined = member && Reflect.get(member, TEXT);
  return read !== undefined && hasSameMembers(read.result, result) ? read.text : undefined;
}

function hasSameMembers(one: object, other: object): boolean {
  const [its, others] = [Object.entries(one), Object.entries(other)];
  return its.length === others.length && its.every(([key, value]) => Object.is(Reflect.get(other, key), value));
}
