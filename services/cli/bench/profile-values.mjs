// How well a sentence about the user becomes a value of the profile, without a model: 600 sentences in English and Chinese, a third of
// which give one value, and two thirds none: denied, asked, planned, past, of others, quoted, meant otherwise.
//
//   npm run bench:profile-values [-- --misses] [--json]
//   npm run bench:profile-values -- --recall    # tells each sentence that gives a value to a user of its own, among three others, and asks for it;
//                                               --first <n> takes so many of each set
//
// The sentences are in `profile-values/`, a line each: `key=value | sentence`, and `- | sentence` where none may be stored. A third is held
// out and not looked at: --misses shows those of the development sets alone.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findAttribute } from '@contextloom/retrieval/attributes';
import { startStack } from './stack.mjs';

const { values: flags } = parseArgs({
  options: {
    recall: { type: 'boolean', default: false },
    first: { type: 'string', default: '1000' },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const SETS = ['development.en', 'held-out.en', 'development.zh', 'held-out.zh'];

async function readSentences(name) {
  const text = await readFile(new URL(`profile-values/${name}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [expected, sentence] = line.split(' | ');
    return { expected, sentence };
  });
}

/** An article and capitals are no other value. */
const comparable = (value) => value.toLowerCase().replace(/=the /u, '=');

function judge({ expected, sentence }) {
  const found = findAttribute(sentence);
  const value = found === undefined ? '-' : `${found.key}=${found.value}`;
  const isRight = comparable(value) === comparable(expected);
  const outcome = value === '-' ? 'left alone' : isRight ? 'right' : 'wrong';
  return { sentence, expected, value, outcome };
}

/** What a person asks to hear a value again. */
const QUESTIONS = {
  en: {
    name: 'What is my name?',
    city: 'Where do I live?',
    country: 'Where do I live?',
    hometown: 'Where am I from?',
    address: 'What is my address?',
    job: 'What do I do for a living?',
    employer: 'Where do I work?',
    birthday: 'When is my birthday?',
    age: 'How old am I?',
    email: 'What is my email?',
    phone: 'What is my phone number?',
    pronouns: 'What are my pronouns?',
    native_language: 'What is my native language?',
    time_zone: 'What time zone am I in?',
  },
  zh: {
    name: '我叫什么名字?',
    city: '我住在哪里?',
    country: '我住在哪里?',
    hometown: '我老家在哪里?',
    address: '我的地址是什么?',
    job: '我是做什么工作的?',
    employer: '我在哪里上班?',
    birthday: '我的生日是哪天?',
    age: '我今年多大了?',
    email: '我的邮箱是什么?',
    phone: '我的电话是多少?',
    native_language: '我的母语是什么?',
    time_zone: '我的时区是什么?',
    favourite_colour: '我最喜欢什么颜色?',
    favourite_season: '我最喜欢哪个季节?',
    favourite_book: '我最喜欢哪本书?',
    favourite_film: '我最喜欢哪部电影?',
    favourite_food: '我最喜欢吃什么?',
    favourite_animal: '我最喜欢什么动物?',
    favourite_song: '我最喜欢哪首歌?',
  },
};
const toQuestion = (language, key) =>
  QUESTIONS[language][key] ?? `What is my ${key.replace('colour', 'color').replace('_', ' ')}?`;
const OTHERS = {
  en: [
    'The boiler was serviced before the guests came.',
    'Grandpa tells the story of the lost kite.',
    'The choir sings on Thursdays.',
  ],
  zh: ['客人来之前修好了锅炉。', '爷爷讲了丢风筝的故事。', '合唱团每周四唱歌。'],
};

/** Tells a user of its own a sentence among others, and says where the answer to its question has it. */
async function tryRecall(stack, language, user_id, { expected, sentence }) {
  for (const text of [OTHERS[language][0], sentence, ...OTHERS[language].slice(1)])
    await stack.call('remember', { user_id, text });
  const value = expected.slice(expected.indexOf('=') + 1);
  const { memories } = await stack.call('recall', { user_id, query: toQuestion(language, expected.split('=')[0]) });
  return memories.findIndex(({ text }) => text.includes(value) || text.includes(sentence));
}

async function measureRecall() {
  const shipped = JSON.parse(await readFile(new URL('../../../mcp_config.json', import.meta.url), 'utf8'));
  const stack = await startStack([], { contextSources: shipped.contextSources }, ['--profile', 'all']);
  try {
    return await recallAll(stack);
  } finally {
    await stack.close();
  }
}

async function recallAll(stack) {
  const rows = [];
  for (const name of SETS) {
    const sentences = (await readSentences(name))
      .filter(({ expected }) => expected !== '-')
      .slice(0, Number(flags.first));
    const row = { set: name, told: sentences.length, first: 0, found: 0 };
    for (const [at, one] of sentences.entries()) {
      const place = await tryRecall(stack, name.split('.')[1], `${name}-${at}`, one);
      if (place === 0) row.first += 1;
      if (place >= 0) row.found += 1;
      else if (flags.misses && !name.startsWith('held-out')) process.stdout.write(`not found: ${one.sentence}\n`);
    }
    rows.push(row);
  }
  return rows;
}

async function measureValues() {
  const rows = [];
  for (const name of SETS) {
    const answers = (await readSentences(name)).map(judge);
    const count = (gives, outcome) =>
      answers.filter((answer) => (answer.expected !== '-') === gives && answer.outcome === outcome).length;
    rows.push({
      set: name,
      values: answers.filter(({ expected }) => expected !== '-').length,
      right: count(true, 'right'),
      other_value: count(true, 'wrong'),
      left_alone: count(true, 'left alone'),
      none: answers.filter(({ expected }) => expected === '-').length,
      invented: count(false, 'wrong'),
    });
    if (!flags.misses || name.startsWith('held-out')) continue;
    for (const { sentence, expected, value, outcome } of answers) {
      if (outcome !== 'right' && expected !== value)
        process.stdout.write(`${outcome}: ${sentence}  ${expected} → ${value}\n`);
    }
  }
  return rows;
}

const rows = flags.recall ? await measureRecall() : await measureValues();
if (flags.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else process.stdout.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
