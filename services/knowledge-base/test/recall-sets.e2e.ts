import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Ended, start } from './support/children.ts';
import { makeFolder } from './support/service.ts';

const bench = new URL('../bench/', import.meta.url);
const checkFile = fileURLToPath(new URL('recall/check-sets.mjs', bench));
const benchFile = fileURLToPath(new URL('recall.mjs', bench));
const englishSet = fileURLToPath(new URL('recall/sets/town.en.json', bench));

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Writes a file of a test's own. */
async function write(text: string, name = 'set.json'): Promise<string> {
  const folder = await makeFolder();
  folders.push(folder);
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const run = (file: string, ...args: string[]): Promise<Ended> => start(file, args, {}).ended;

describe('the question sets of bench/recall', () => {
  it('name turns that exist, hold every kind of question, and are not answered by counting common words', async () => {
    const { code, stdout } = await run(checkFile);
    expect({ code, lines: stdout.trim().split('\n') }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/^town\.en\.json: 481 turns, 266 questions \(direct 33, .*no-answer 22\); plain overlap/),
        expect.stringMatching(/^town\.zh\.json: 544 turns, 242 questions \(direct 26, .*no-answer 28\); plain overlap/),
      ],
    });
  });

  it.each([
    ['evidence that is not there', { evidence: ['c1-99-1'] }, /evidence c1-99-1 does not exist/],
    ['evidence of another user', { user: 'tomas' }, /has evidence of another user/],
    ['an unknown kind', { kind: 'riddle' }, /is of no kind: riddle/],
    ['a missing answer', { answer: ' ' }, /has no question or no answer/],
  ])('are refused with %s', async (_what, change, fault) => {
    const set = JSON.parse(await readFile(englishSet, 'utf8'));
    const at = set.questions.findIndex(
      ({ kind, user }: Record<string, unknown>) => kind === 'direct' && user === 'ida',
    );
    Object.assign(set.questions[at], change);
    const { code, stdout } = await run(checkFile, await write(JSON.stringify(set)));
    expect(code).toBe(1);
    expect(stdout).toMatch(fault);
  });

  it('are refused when most questions repeat what was said', async () => {
    const set = JSON.parse(await readFile(englishSet, 'utf8'));
    const turns: { id: string; text: string }[] = set.conversations.flatMap(
      ({ sessions }: { sessions: { turns: unknown[] }[] }) => sessions.flatMap((session) => session.turns),
    );
    const said = new Map(turns.map(({ id, text }) => [id, text]));
    for (const question of set.questions) {
      if (question.evidence.length > 0) question.question = `${question.id}: ${said.get(question.evidence[0])}`;
    }
    const { code, stdout } = await run(checkFile, await write(JSON.stringify(set)));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}plain overlap answers \d+/m);
  });
});

const said = (turn: string, text: string, rest: object = {}) => ({ speaker: 'Mia', dia_id: turn, text, ...rest });

/** A conversation in LoCoMo's shape, with the oddities that its files have. */
const conversation = {
  sample_id: 'conv-1',
  conversation: {
    speaker_a: 'Mia',
    session_1_date_time: '12:05 am on 8 May, 2023',
    session_1: [said('D1:1', 'My parrot is called Otto.'), said('D1:2', 'Look!', { blip_caption: 'a red canoe' })],
    session_2_date_time: '1:56 pm on 9 June, 2023',
    session_2: [said('D2:1', 'We moved to Lisbon.'), said('D2:2', 'The tram is loud.')],
    session_3_date_time: '1:56 pm on 10 June, 2023',
  },
  qa: [
    { question: 'What is the parrot called?', answer: 'Otto', evidence: ['D:1:01'], category: 4 },
    { question: 'What of the canoe and Lisbon?', answer: 'both', evidence: ['D1:2; D2:1'], category: 1 },
    { question: 'Is the tram yellow?', evidence: ['D2:2', 'D9:9'], category: 5 },
    { question: 'Who knows?', answer: 'nobody', evidence: ['D7:1'], category: 4 },
    { question: 'And why?', answer: 'so', category: 3 },
  ],
};

describe('bench/recall', () => {
  it('measures a file in the shape of LoCoMo, and finds no difference from itself', async () => {
    const file = await write(JSON.stringify([conversation]), 'small.json');
    const results = `${file}.results`;
    const first = await run(benchFile, file, '--json', results);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const [set] = JSON.parse(await readFile(results, 'utf8')).sets;
    const all = { turns: [1, 1, 1, 1], sessions: [1, 1, 1, 1] };
    expect(set).toMatchObject({ name: 'small', documents: 4, sessions: 2, users: 1, left_out: 2 });
    expect(set.questions).toMatchObject([
      { groups: ['all', 'categories 1-4', '4 single-hop'], scores: { 'knowledge base': all, BM25: all, grep: all } },
      { groups: ['all', 'categories 1-4', '1 multi-hop'], scores: { 'knowledge base': all, BM25: all, grep: all } },
      { groups: ['all', '5 adversarial'], scores: { 'knowledge base': all, BM25: all, grep: all } },
    ]);
    const second = await run(benchFile, file, '--compare', results, '--clustered');
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain('3 questions are in both runs, of 3 before and 3 now.');
    expect(second.stdout).toContain('Evidence turns among the first ten: 0 better, 0 worse, 3 alike.');
  });

  it('says what a file should look like', async () => {
    const { code, stderr } = await run(benchFile, await write('{"questions": []}'));
    expect(code).not.toBe(0);
    expect(stderr).toContain("neither the shape of LoCoMo's files nor that of bench/recall/sets");
  });
});
