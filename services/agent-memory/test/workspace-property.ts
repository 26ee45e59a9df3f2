import { isContextloomError } from '@contextloom/contracts';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { markEntries } from '../src/domain/grammar/edit.ts';
import { parseEntries } from '../src/domain/grammar/entry-file.ts';
import { content, document } from './support/documents.ts';
import { createFolder, dump, openTestMemory } from './support/memory.ts';

const FILES = ['memory/2026-02-12.md', 'memory/2026-02-13.md', 'memory/2026-02-14.md', 'MEMORY.md'];
const MARK = /[ \t]*<!-- id: [-\da-f]{36}[^\r\n]*?-->(?:\r\n?|\n)?/g;

const file = fc.nat({ max: FILES.length - 1 });
const pick = fc.nat({ max: 99 });
/** What a tool or a person does, in any order; `pick` chooses among what there is at that moment. */
const step = fc.oneof(
  fc.record({
    by: fc.constant('tool'),
    kind: fc.constantFrom('add', 'remember', 'update', 'delete'),
    pick,
    text: content,
  }),
  fc.record({
    by: fc.constant('hand'),
    kind: fc.constantFrom('rewrite', 'retext', 'move', 'insert', 'cut', 'line ends'),
    file,
    pick,
    text: document,
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Running = Awaited<ReturnType<typeof openTestMemory>>;
type Folder = ReturnType<typeof createFolder>;
type Texts = ReadonlyMap<string, string>;

const read = (folder: Folder): Texts => {
  const texts = FILES.map((path) => [path, folder.tryRead(path)] as const);
  return new Map(texts.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])));
};
const withoutMarks = (text: string): string => text.replace(MARK, '');

/** Everything but one stretch of a text is another's, in its place and byte for byte. */
function expectInserted(before: string, after: string): void {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const longest = Math.min(before.length, same);
  const isInserted = Array.from({ length: longest + 1 }, (_unused, n) => longest - n).some((at) =>
    after.endsWith(before.slice(at)),
  );
  expect({ isInserted, before, after }).toMatchObject({ isInserted: true });
}

/** What a person makes of a file in an editor. */
function editByHand(texts: Texts, { kind, pick: chosen, text, ...one }: Step & { file: number }): Texts {
  const path = FILES[one.file] ?? '';
  const old = texts.get(path) ?? '';
  const entries = parseEntries(path, old);
  const entry = entries[chosen % Math.max(1, entries.length)];
  if (kind === 'rewrite' || entry === undefined) return new Map([[path, text]]);
  const put = (inside: string) => old.slice(0, entry.start) + inside + old.slice(entry.end);
  if (kind === 'cut') return new Map([[path, put('')]]);
  if (kind === 'line ends') return new Map([[path, old.replace(/\r\n?|\n/g, chosen % 2 === 0 ? '\r\n' : '\n')]]);
  if (kind === 'insert') return new Map([[path, `${old.slice(0, entry.end)}${text}${old.slice(entry.end)}`]]);
  if (kind === 'retext') {
    return new Map([[path, `${old.slice(0, entry.bodyStart)}${text.replaceAll('#', '')}\n${old.slice(entry.end)}`]]);
  }
  const target = FILES[(one.file + 1) % FILES.length] ?? '';
  const moved = `${texts.get(target) ?? ''}\n${old.slice(entry.start, entry.end)}`;
  return new Map([
    [path, put('')],
    [target, moved],
  ]);
}

async function actByTool(opened: Running, folder: Folder, { kind, pick: chosen, text }: Step): Promise<void> {
  const before = read(folder);
  const known = (await dump(opened.memory)).filter((entry) => !entry.in_text);
  const entry = known[chosen % Math.max(1, known.length)];
  const session = 'owner' as const;
  if (kind === 'add' || kind === 'remember' || entry === undefined) {
    const added = await opened.memory.add({ content: text, long_term: kind === 'remember', session });
    expect(await opened.memory.get(added.id, session)).toEqual(added);
    const old = before.get(added.source_file);
    if (old !== undefined) expectInserted(old, read(folder).get(added.source_file) ?? '');
    return;
  }
  const path = entry.source_file;
  const old = before.get(path) ?? '';
  const place = parseEntries(path, old).find(({ mark }) => mark?.id === entry.id);
  if (kind === 'update') await opened.memory.update(entry.id, { content: text, session });
  else await opened.memory.delete(entry.id, session);
  const now = read(folder).get(path) ?? '';
  if (place === undefined) throw new Error('an entry of the index is not in its file');
  expect(now.startsWith(old.slice(0, place.start))).toBe(true);
  expect(now.endsWith(old.slice(place.end))).toBe(true);
  if (kind === 'delete') expect(now).toBe(old.slice(0, place.start) + old.slice(place.end));
  else expect((await opened.memory.get(entry.id, session)).content).toBe(text);
}

/** What files say is what the index knows: each marked entry under its id, each other under one of its own. */
async function expectFollowed(opened: Running, folder: Folder): Promise<void> {
  const texts = read(folder);
  const written = [...texts].flatMap(([path, text]) =>
    parseEntries(path, text).map(({ mark, content: said, date }) => ({
      id: mark?.id,
      content: said,
      source_file: path,
      date,
    })),
  );
  const known = (await dump(opened.memory)).flatMap(({ id, content: said, source_file, date, in_text }) =>
    in_text ? [] : { id, content: said, source_file, date },
  );
  const byId = (a: { id?: string | undefined }, b: { id?: string | undefined }) =>
    (a.id ?? '') < (b.id ?? '') ? -1 : 1;
  expect(known.toSorted(byId)).toEqual(written.toSorted(byId));
  // Reading a file and writing nothing into it gives the same file.
  for (const [path, text] of texts) expect(markEntries(path, text, new Map())).toBe(text);
}

const toIds = (texts: Texts): readonly string[] =>
  [...texts].flatMap(([path, text]) => parseEntries(path, text).flatMap(({ mark }) => mark?.id ?? []));

/** A person saves files: nothing but ids comes to them, and every id that they left in is still one entry's. */
async function actByHand(opened: Running, folder: Folder, one: Step & { file: number }): Promise<void> {
  const saved = editByHand(read(folder), one);
  for (const [path, text] of saved) folder.save(path, text);
  const left = toIds(read(folder));
  for (const path of saved.keys()) await opened.memory.noteChange(path);
  await opened.memory.sync();
  for (const [path, text] of saved) expect(withoutMarks(folder.read(path))).toBe(withoutMarks(text));
  const ids = toIds(read(folder));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([...new Set(left)]));
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const folder = createFolder();
  // What was saved counts as settled: no test waits for an editor that is done.
  const opened = await openTestMemory(folder, { fileClock: () => new Date(Date.now() + 2_000) });
  try {
    for (const one of steps) {
      if (one.by === 'tool') {
        // A file with something left open takes no entry: its caller is told, and nothing was written.
        const before = read(folder);
        await actByTool(opened, folder, one).catch((error: unknown) => {
          if (!(isContextloomError(error) && error.code === 'conflict')) throw error;
          expect(read(folder)).toEqual(before);
        });
        continue;
      }
      await actByHand(opened, folder, one as Step & { file: number });
    }
    await opened.memory.sync();
    await expectFollowed(opened, folder);
    const [told, texts] = [await dump(opened.memory), read(folder)];
    await opened.memory.rebuild();
    expect(await dump(opened.memory)).toEqual(told);
    expect(read(folder)).toEqual(texts);
    expect(opened.problems).toEqual([]);
  } finally {
    await opened.memory.close();
    folder.remove();
  }
}

/** Tools and a person change random files in any order: ids stay, the index follows, and no text of the person's is lost. */
export async function checkWorkspace(numRuns: number): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), runSteps), { numRuns });
}
