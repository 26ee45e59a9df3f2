import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextloomError, PAGE_LENGTH } from '@contextloom/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importUsers } from '../src/archive/import-users.ts';
import { type ArchivedStore, FORMAT } from '../src/archive/manifest.ts';
import { isArchive, openArchive } from '../src/archive/read-archive.ts';
import { createArchiveWriter } from '../src/archive/write-archive.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-cli-archive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Lines with every separator that JSON may have inside a text, longer together than a page. */
const lines = Array.from(
  { length: 3_000 },
  (_, at) => `${JSON.stringify({ at, text: `海边\u2028${'quay '.repeat(100)}` })}\n`,
);

/** Writes what servers have of one user; `store` is that of the last one. */
async function write(
  name: string,
  texts: readonly string[],
  servers: readonly string[] = ['knowledge-base'],
): Promise<{ file: string; store: ArchivedStore }> {
  const file = join(folder, name);
  const writer = await createArchiveWriter(file);
  const stores: ArchivedStore[] = [];
  for (const server of servers) {
    const path = `users/1/${server}.jsonl`;
    const entry = writer.add(path);
    for (const text of texts) await entry.write(text);
    const about = { server, service: server, format: 'contextloom-documents', version: 1 };
    stores.push({ file: path, ...about, records: texts.length, sha256: await entry.end() });
  }
  await writer.finish({ format: FORMAT, version: 1, users: [{ user_id: 'ann', stores }], unreached: [] });
  return { file, store: stores.at(-1) as ArchivedStore };
}

describe('an archive', () => {
  it('gives the lines back in pages that end with a line', async () => {
    const { file, store } = await write('whole.zip', lines);
    expect(await isArchive(file)).toBe(true);
    const archive = await openArchive(file);
    expect(archive.manifest.users).toEqual([{ user_id: 'ann', stores: [store] }]);
    await archive.check(store);
    const pages: string[] = [];
    for await (const page of archive.pages(store)) pages.push(page);
    archive.close();
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.filter((page) => !page.endsWith('\n') || page.length > 2 * PAGE_LENGTH)).toEqual([]);
    expect(pages.join('')).toBe(lines.join(''));
  });

  it('is refused with the name of the entry when a byte of it changed', async () => {
    const { file, store } = await write('damaged.zip', lines);
    const bytes = await readFile(file);
    const at = bytes.indexOf(store.file) + 500;
    bytes[at] = (bytes[at] ?? 0) ^ 0x55;
    await writeFile(file, bytes);
    const archive = await openArchive(file);
    await expect(archive.check(store)).rejects.toThrow('damaged at users/1/knowledge-base.jsonl');
    archive.close();
  });

  it('is refused when it was cut off, and a file that is no archive is told from it', async () => {
    const { file } = await write('cut.zip', lines);
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.length >> 1));
    expect(await isArchive(file)).toBe(false);
    await expect(openArchive(`${file}.missing`)).rejects.toThrow('does not exist');
    await expect(openArchive(folder)).rejects.toThrow('is a folder');
    await expect(openArchive(file)).rejects.toThrow('is no ZIP archive, or a damaged one');
  });

  it('is taken in by the other servers when one takes nothing of it, which is named', async () => {
    const { file, store } = await write('two.zip', lines, ['agent-mem', 'knowledge-base']);
    const call = async (_tool: string, args: { readonly server?: unknown }) => {
      if (args.server === 'agent-mem') throw new ContextloomError('unavailable', 'agent-mem: is away');
      return { imported: 1, known: 0, refused: [], refused_count: 0 };
    };
    const aggregator = { call } as unknown as Parameters<typeof importUsers>[0]['aggregator'];
    const report = await importUsers({ aggregator, file });
    const counts = report.map(({ server, refused_count: count, imported }) => ({ server, count, isIn: imported > 0 }));
    expect(counts).toEqual([
      { server: 'agent-mem', count: store.records, isIn: false },
      { server: 'knowledge-base', count: 0, isIn: true },
    ]);
    expect(report[0]?.refused).toEqual([{ record: `${store.records} records`, problem: 'agent-mem: is away' }]);
  });

  it('leaves nothing behind when it is abandoned', async () => {
    const writer = await createArchiveWriter(join(folder, 'abandoned.zip'));
    await writer.add('users/1/x.jsonl').write('{}\n');
    await writer.abandon();
    expect((await readdir(folder)).filter((name) => name.startsWith('abandoned'))).toEqual([]);
  });
});
