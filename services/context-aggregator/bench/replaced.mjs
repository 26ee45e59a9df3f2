// How well what somebody said is known to be over, without a model: pairs of what was said and what the same person said later, in
// English and Chinese, half of which look as if something had changed and nothing had.
//
//   npm run bench:replaced [-- --misses] [--json]
//
// The pairs are in `replaced/`, a line each: `earlier | later | what is so now`, and `-` where the earlier one still holds. The held-out
// halves were written before the rules and are not looked at, the second sets by somebody who had not seen them, the third by one
// who had: --misses shows those of the development halves alone.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findReplaced } from '@contextloom/retrieval/states';

const { values: flags } = parseArgs({
  options: { misses: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const SETS = ['development', 'held-out', 'second', 'third'].flatMap((name) => [`${name}.en`, `${name}.zh`]);

async function readPairs(name) {
  const text = await readFile(new URL(`replaced/${name}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [earlier, later, now] = line.split('|').map((part) => part.trim());
    return { line, earlier, later, isOver: now !== '-', now };
  });
}

function judge({ earlier, later, isOver, now, line }) {
  const sayings = [
    { text: earlier, time: Date.parse('2024-03-01'), speaker: 'ann' },
    { text: later, time: Date.parse('2025-05-01'), speaker: 'ann' },
  ];
  const found = findReplaced(sayings).get(0);
  return { line, isOver, isMarked: found !== undefined, hasValue: isOver && now !== '', isRight: found?.now === now };
}

const rows = [];
for (const name of SETS) {
  const answers = (await readPairs(name)).map(judge);
  const over = answers.filter(({ isOver }) => isOver);
  const still = answers.filter(({ isOver }) => !isOver);
  const valued = over.filter(({ isMarked, hasValue }) => isMarked && hasValue);
  rows.push({
    set: name,
    over: over.length,
    marked: over.filter(({ isMarked }) => isMarked).length,
    with_value: valued.length,
    value_right: valued.filter(({ isRight }) => isRight).length,
    look_alikes: still.length,
    wrongly_marked: still.filter(({ isMarked }) => isMarked).length,
  });
  if (!flags.misses || name.startsWith('held-out')) continue;
  for (const { line, isOver, isMarked } of answers) {
    if (isOver !== isMarked) process.stdout.write(`${isOver ? 'not marked' : 'wrongly marked'}  ${line}\n`);
  }
}
if (flags.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
