import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { spawnCli } from '../fixtures/spawn-cli.ts';

const reportSchema = z.object({
  folder: z.string(),
  embedder: z.string(),
  conversations: z.array(
    z.object({
      user_id: z.string(),
      memories_saved: z.number(),
      extractor: z.object({ kind: z.string() }),
      memories: z.array(z.unknown()),
    }),
  ),
  questions: z.array(
    z.object({
      persona: z.string(),
      question: z.string(),
      found: z.boolean(),
      prompt: z.object({ prompt: z.string(), status: z.string() }),
    }),
  ),
});

/** Where the output of the demo and of other commands on its conversations is shown. */
const readmes = [new URL('../../README.md', import.meta.url), new URL('../../../../docs/overview.md', import.meta.url)];

/** Rating, date, type and source of each memory that a text shows in a table. */
function memoryRows(text: string): string[] {
  const rows = text.match(/^│ +\d+\.\d │ \d{4}-\d{2}-\d{2} │[^│]+│[^│]+│/gm) ?? [];
  return rows.map((row) => row.replace(/ +/g, ' '));
}

let folder: string;

// The demo makes its folder where TMPDIR says: what it leaves behind is seen here.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-demo-test-'));
});

afterAll(() => rm(folder, { recursive: true }));

const demo = (...args: string[]) => spawnCli(['demo', ...args], { TMPDIR: folder, KB_URL: 'http://127.0.0.1:9' });

describe('contextloom demo', () => {
  it('finds the answer to every question and puts it into the prompt, whatever the settings of the user are; keeps its folder with --keep', async () => {
    const cli = demo('--json', '--full', '--keep');
    expect([await cli.ended, cli.stderr()]).toEqual([0, expect.any(String)]);
    const report = reportSchema.parse(JSON.parse(cli.stdout()));
    expect(report.questions.length).toBeGreaterThanOrEqual(6);
    expect(report.questions.filter(({ found }) => !found)).toEqual([]);
    for (const { prompt } of report.questions) {
      expect(prompt.status).toBe('complete');
      expect(prompt.prompt).toMatch(
        /^(?:\[补充记忆上下文\]\n关于这位用户，请参考以下你之前的记忆：|\[Supplementary memory context\]\nAbout this user, .*:)\n- /,
      );
      expect(prompt.prompt).toContain('\n\n---\n\n');
    }
    expect(report.conversations.every(({ memories_saved }) => memories_saved >= 10)).toBe(true);
    expect(report.embedder).toBe('lexical');
    expect(report.conversations.every(({ extractor }) => extractor.kind === 'rules')).toBe(true);
    expect(existsSync(join(report.folder, 'knowledge-base'))).toBe(true);
    await rm(report.folder, { recursive: true });
  });

  it('prints memories, questions, prompts and who made them for people, and removes its folder', async () => {
    const cli = demo();
    expect(await cli.ended).toBe(0);
    const text = cli.stdout();
    for (const part of [
      '1. Conversations become memories',
      '2. Questions find them again',
      '3. The persona gets them',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(/rating │ date +│ type +│ source +│ memory/);
    expect(text).toMatch(/Extractor: written rules\b.* Embedder: lexical\./);
    expect(text).toContain('[补充记忆上下文]');
    expect(text.match(/✓ the answer is among them/g)).toHaveLength(4);
    expect(await readdir(folder)).toEqual([]);
    const printed = memoryRows(text);
    const shown = (await Promise.all(readmes.map((file) => readFile(file, 'utf8')))).flatMap(memoryRows);
    expect(shown.length).toBeGreaterThanOrEqual(6);
    expect(shown.filter((row) => !printed.includes(row))).toEqual([]);
  });
});
