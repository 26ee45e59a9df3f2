// What reading costs: input tokens asked of a model for each token of dialogue, with the second question and without, and what
// a dry run tells of it. The conversations are in LoCoMo's form, and their facts, as a model wrote them, are what a scripted
// endpoint answers. For people, not for CI.
//
//   npm run bench:tokens [-- <facts.json> <conversations.json>] [--turns 40]
//
// Without files it reads a conversation of its own, too small for figures: to see that it works.
// --turns: sessions of exactly so many turns, put together of those of the file; else as they are in the file.
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { countTokens, createChatModel } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import { startScriptedOpenAi } from '@contextloom/testing/llm';
import { createMemoryProcessor, createModelExtractor, createRulesExtractor } from '../build/index.js';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { turns: { type: 'string' } },
});
if (positionals.length !== 0 && positionals.length !== 2) {
  process.stderr.write('bench:tokens takes two files, <facts.json> <conversations.json>, or none\n');
  process.exit(2);
}

const said = (session, ...texts) =>
  texts.map((text, at) => ({ speaker: at % 2 === 0 ? 'Ann' : 'Bob', dia_id: `D${session}:${at + 1}`, text }));
const OWN_SAMPLE = {
  sample_id: 'own',
  conversation: {
    session_1: said(1, 'I have moved to Leith.', 'When was that?', 'Last week, with my two cats.', 'Nice!'),
    session_1_date_time: '1:56 pm on 8 May, 2023',
    session_2: said(
      2,
      'I start as a nurse on Monday.',
      'At the Western General?',
      'Yes, on the night shift.',
      'Good luck.',
    ),
    session_2_date_time: '10:04 am on 2 June, 2023',
  },
};
const OWN_FACTS = {
  sample_id: 'own',
  facts: [
    { content: 'Ann moved to Leith.', evidence: ['D1:1'] },
    { content: 'Ann starts as a nurse on the night shift.', evidence: ['D2:1', 'D2:3'] },
  ],
};

const files = await Promise.all(positionals.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
const [facts, samples] = files.length === 0 ? [[OWN_FACTS], [OWN_SAMPLE]] : files;

const toSessions = ({ conversation }) =>
  Object.keys(conversation)
    .filter((key) => Array.isArray(conversation[key]))
    .map((key) => ({ date: conversation[`${key}_date_time`], turns: conversation[key] }));

/** Sessions of so many turns, each with the date of its first; turns that are left over at the end are left out. */
function regroup(sessions, size) {
  const turns = sessions.flatMap(({ date, turns: own }) => own.map((turn) => ({ date, turn })));
  return Array.from({ length: Math.floor(turns.length / size) }, (_, at) => {
    const own = turns.slice(at * size, (at + 1) * size);
    return { date: own[0].date, turns: own.map(({ turn }) => turn) };
  });
}

const toConversation = (id, sessions) => ({
  sample_id: id,
  conversation: Object.fromEntries(
    sessions.flatMap(({ date, turns }, at) => [
      [`session_${at + 1}`, turns],
      [`session_${at + 1}_date_time`, date],
    ]),
  ),
});

const isSecond = ({ body }) => /"verdicts"/u.test(String(body.messages?.[0]?.content));

/** Answers with the facts of the turns that are to be read; and that all claims are supported. */
function toStep(request, known) {
  const text = String(request.body.messages?.[1]?.content);
  if (isSecond(request)) {
    const claims = [...text.matchAll(/^(\d+) \[/gmu)].map(([, number]) => `${number} supported`);
    return { kind: 'answer', text: JSON.stringify({ verdicts: claims }) };
  }
  const labels = new Set(
    [...(text.split('The piece to read:')[1] ?? '').matchAll(/^\[([^\]]+)\]/gmu)].map(([, one]) => one),
  );
  const memories = known
    .filter(({ evidence }) => labels.has(evidence[0]))
    .map(({ content, evidence }) => ({ content, importance: 5, memory_type: 'knowledge', tags: [], evidence }));
  return { kind: 'answer', text: JSON.stringify({ memories }) };
}

const unused = async () => [];
const memories = { listRecorded: async () => new Map(), listOpenings: unused, listRetractions: unused };

async function measure(sample, checkFacts) {
  const known = facts.find(({ sample_id: id }) => id === sample.sample_id).facts;
  const sessions = flags.turns ? regroup(toSessions(sample), Number(flags.turns)) : toSessions(sample);
  const conversationHistory = JSON.stringify(toConversation(sample.sample_id, sessions));
  const endpoint = await startScriptedOpenAi({ chat: (request) => toStep(request, known) });
  try {
    const { url: baseUrl, apiKey } = endpoint;
    const model = await createChatModel({ model: 'scripted', baseUrl, apiKey, concurrency: 4 });
    const extractor = createModelExtractor({
      model,
      rules: createRulesExtractor(),
      concurrency: 4,
      maxGroupTokens: 1_500,
      checkFacts,
      price: () => ({ basis: '' }),
      log: silentLog,
    });
    const processor = createMemoryProcessor({ memories, extractor });
    const { usage } = await processor.estimateTranscript({ userId: 'ann', conversationHistory });
    await processor.extractMemories(conversationHistory);
    return {
      sessions: sessions.length,
      dialogue: sessions
        .flatMap(({ turns }) => turns)
        .reduce((sum, { speaker, text }) => sum + countTokens(`${speaker}: ${text}`) + 1, 0),
      estimate: usage.inputTokens,
      asked: endpoint.requests.map((request) => ({
        isSecond: isSecond(request),
        tokens: request.body.messages.map(({ content }) => countTokens(String(content))),
        claims: isSecond(request) ? (String(request.body.messages[1].content).match(/^\d+ \[/gmu) ?? []).length : 0,
      })),
    };
  } finally {
    await endpoint.close();
  }
}

async function toRow(checkFacts) {
  const results = [];
  for (const sample of samples) results.push(await measure(sample, checkFacts));
  const add = (values) => values.reduce((sum, value) => sum + value, 0);
  const dialogue = add(results.map((one) => one.dialogue));
  const asked = results.flatMap((one) => one.asked);
  const [first, second] = [asked.filter((one) => !one.isSecond), asked.filter((one) => one.isSecond)];
  const sum = (requests) => add(requests.flatMap(({ tokens }) => tokens));
  const prefix = (requests) => add(requests.map(({ tokens }) => tokens[0] ?? 0));
  const share = (requests) => `${((100 * prefix(requests)) / sum(requests)).toFixed(0)} %`;
  return [
    checkFacts,
    add(results.map((one) => one.sessions)),
    dialogue,
    first.length,
    second.length,
    add(second.map(({ claims }) => claims)),
    (sum(first) / dialogue).toFixed(2),
    share(first),
    (sum(second) / dialogue).toFixed(2),
    (sum(asked) / dialogue).toFixed(2),
    share(asked),
    (add(results.map((one) => one.estimate)) / sum(asked)).toFixed(2),
    first[0]?.tokens[0],
    second[0]?.tokens[0],
  ];
}

const head = [
  'checked',
  'sessions',
  'tokens of dialogue',
  'readings',
  'second questions',
  'claims',
  'input tokens for a token of dialogue, reading',
  'fixed instructions',
  'second question',
  'both',
  'fixed instructions',
  'dry run, of what was asked',
  'tokens of the instructions',
  'of the second question',
];
const rows = [head, head.map(() => '---')];
for (const check of ['off', 'doubtful', 'all']) rows.push(await toRow(check));
process.stdout.write(`${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
