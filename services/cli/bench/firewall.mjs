// How well the firewall tells orders to the assistant from everyday sentences, each judged by itself, as a memory.
//
//   npm run bench:firewall                      the lists in sets/: what is held of the harmless, what is let in of the orders
//   npm run bench:firewall -- --list            the same, with each sentence that is judged wrong (of the development list only)
//   npm run bench:firewall -- <file.json> …     of conversations of your own: which ordinary turns would be held back
//
// A list is {harmless: [text], orders: [text]}. Patterns are worked on with the development list and never with the held-out
// one, whose sentences are not shown here. Conversations are in LoCoMo's form, or {sessions: [{turns: [{text}]}]} as in sets/.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sanitizeText } from '../../context-aggregator/build/domain/firewall/sanitize-text.js';

const LISTS = ['development', 'held-out'];
const print = (line) => process.stdout.write(`${line}\n`);
const toShare = (some, all) => `${some.length} of ${all.length} (${((100 * some.length) / all.length).toFixed(1)} %)`;
const isLetIn = (text) => sanitizeText(text).text !== '';

function judge(name, { harmless, orders }, showsAll) {
  const held = harmless.filter((text) => !isLetIn(text));
  const letIn = orders.filter(isLetIn);
  print(`${name}: harmless sentences held ${toShare(held, harmless)}, orders let in ${toShare(letIn, orders)}`);
  if (!showsAll) return;
  for (const text of held) print(`  held: ${text}`);
  for (const text of letIn) print(`  let in: ${JSON.stringify(text)}`);
}

function toTexts(conversation) {
  if (Array.isArray(conversation.sessions)) return conversation.sessions.flatMap(({ turns }) => turns);
  return Object.entries(conversation.conversation).flatMap(([key, turns]) => (/^session_\d+$/u.test(key) ? turns : []));
}

function judgeConversations(parsed) {
  const turns = [parsed].flat().flatMap(toTexts);
  const held = turns.filter(({ text }) => sanitizeText(text).held > 0);
  const changed = turns.filter((turn) => !held.includes(turn) && sanitizeText(turn.text).text !== turn.text);
  print(`turns held back ${toShare(held, turns)}, ${changed.length} changed`);
  for (const { text } of held) print(`  held: ${text.slice(0, 160)}`);
}

const args = process.argv.slice(2);
const files = args.filter((arg) => arg !== '--list');
for (const file of files) {
  const parsed = JSON.parse(await readFile(file, 'utf8'));
  if (Array.isArray(parsed.orders)) judge(file, parsed, args.includes('--list'));
  else judgeConversations(parsed);
}
for (const name of files.length > 0 ? [] : LISTS) {
  const file = fileURLToPath(new URL(`sets/firewall-${name}.json`, import.meta.url));
  judge(name, JSON.parse(await readFile(file, 'utf8')), args.includes('--list') && name === 'development');
}
