import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What the model knows: words of one group mean the same to it. */
export interface TinyModelOptions {
  readonly meanings: readonly (readonly string[])[];
}

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
/** Marks of E5 models: they move a vector a little, so that a missing one shows. */
const MARKS = ['query', 'passage', ':'];
const FLOAT = 1;
const INT64 = 7;

// Protocol buffers (protobuf.dev, Encoding): a tag is the field's number and its wire type.
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

const int = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);

function bytes(field: number, content: string | Buffer | readonly Buffer[]): Buffer {
  const body = typeof content === 'string' || Buffer.isBuffer(content) ? Buffer.from(content) : Buffer.concat(content);
  return Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
}

/** A ValueInfoProto (onnx.proto): a tensor's name, element type and shape. */
function tensorInfo(name: string, type: number, shape: readonly (string | number)[]): readonly Buffer[] {
  const dims = shape.map((size) => bytes(1, [typeof size === 'number' ? int(1, size) : bytes(2, size)]));
  return [bytes(1, name), bytes(2, [bytes(1, [int(1, type), bytes(2, dims)])])];
}

/** An ONNX model of one node: it looks up the row of each token in a table. */
function toOnnx(table: readonly (readonly number[])[], dimensions: number): Buffer {
  const values = Buffer.from(Float32Array.from(table.flat()).buffer);
  const weights = [int(1, table.length), int(1, dimensions), int(2, FLOAT), bytes(8, 'table'), bytes(9, values)];
  const lookUp = [bytes(1, 'table'), bytes(1, 'input_ids'), bytes(2, 'last_hidden_state'), bytes(4, 'Gather')];
  const graph = [
    bytes(1, lookUp),
    bytes(2, 'tiny'),
    bytes(5, weights),
    bytes(11, tensorInfo('input_ids', INT64, ['batch', 'length'])),
    bytes(12, tensorInfo('last_hidden_state', FLOAT, ['batch', 'length', dimensions])),
  ];
  return Buffer.concat([int(1, 8), bytes(8, [int(2, 13)]), bytes(7, graph)]);
}

function toTokenizer(words: readonly string[]): object {
  const special = { special: true, single_word: false, lstrip: false, rstrip: false, normalized: false };
  return {
    version: '1.0',
    added_tokens: SPECIAL.map((content, id) => ({ id, content, ...special })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  };
}

/** The files of a tiny embedding model for transformers.js, by path: a real ONNX file, a few kilobytes. */
export function makeTinyModel({ meanings }: TinyModelOptions): ReadonlyMap<string, Buffer> {
  const groups = [[], ...meanings];
  const dimensions = groups.length + MARKS.length;
  const words = [...SPECIAL, ...MARKS, ...meanings.flat()];
  const table = words.map((word) => {
    const row = new Array<number>(dimensions).fill(0);
    const group = groups.findIndex((group) => group.includes(word));
    const mark = MARKS.indexOf(word);
    if (mark >= 0) row[groups.length + mark] = 0.2;
    else if (group > 0) row[group] = 1;
    else row[0] = word === '[UNK]' ? 0.1 : 0.01;
    return row;
  });
  const tokenizer = { tokenizer_class: 'BertTokenizer', model_max_length: 512, pad_token: '[PAD]', unk_token: '[UNK]' };
  const toJson = (value: object): Buffer => Buffer.from(JSON.stringify(value));
  return new Map([
    ['config.json', toJson({ model_type: 'bert', hidden_size: dimensions })],
    ['tokenizer.json', toJson(toTokenizer(words))],
    ['tokenizer_config.json', toJson(tokenizer)],
    ['onnx/model_quantized.onnx', toOnnx(table, dimensions)],
  ]);
}

/** Writes the files of a model into a folder. */
export async function writeModel(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
