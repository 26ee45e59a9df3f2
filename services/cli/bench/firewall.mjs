// How many ordinary turns of conversations would be held back from prompts as instructions: each by itself, as a memory.
//
//   npm run bench:firewall -- <conversations.json> [<conversations.json> …]
//
// Conversations in LoCoMo's form, or {sessions: [{turns: [{text}]}]} as in sets/.
import { readFile } from 'node:fs/promises';
import { guardText } from '../../context-aggregator/dist/domain/firewall/guard.js';

function toTexts(conversation) {
  if (Array.isArray(conversation.sessions)) return conversation.sessions.flatMap(({ turns }) => turns);
  return Object.entries(conversation.conversation).flatMap(([key, turns]) => (/^session_\d+$/u.test(key) ? turns : []));
}

for (const file of process.argv.slice(2)) {
  const parsed = JSON.parse(await readFile(file, 'utf8'));
  const turns = [parsed].flat().flatMap(toTexts);
  const guarded = turns.map(({ text }) => ({ text, ...guardText(text) }));
  const held = turns.filter((_, at) => guarded[at].held > 0);
  const changed = turns.filter(({ text }, at) => guarded[at].held === 0 && guarded[at].text !== text);
  process.stdout.write(
    `${turns.length} turns: ${held.length} held back (${((100 * held.length) / turns.length).toFixed(2)} %), ${changed.length} changed\n`,
  );
  for (const { text } of held) process.stdout.write(`  held back: ${text.slice(0, 160)}\n`);
}
