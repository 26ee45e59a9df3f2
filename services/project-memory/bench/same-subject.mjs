// From which cosine on are two notes likely to be about one subject? Changed decisions next to unrelated notes of the same project,
// with the embedder that the settings name (EMBEDDING_PROVIDER, …). The first half of the pairs is for choosing, the second for judging.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { embeddingSettings, openEmbedder } from '@contextloom/llm';
import { readSettings } from '@contextloom/runtime';

const data = JSON.parse(readFileSync(new URL('same-subject.json', import.meta.url), 'utf8'));
const THRESHOLDS = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9];

const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0);
const share = (list, test) => `${Math.round((100 * list.filter(test).length) / list.length)} %`.padStart(6);

/** Of each changed decision: how near the old one is, and how near the nearest other note; of each unrelated note, how near any is. */
async function measure(embedder, { changed, unrelated }, half) {
  const pairs = changed.filter((_, at) => at % 2 === half);
  const notes = unrelated.filter((_, at) => at % 2 === half);
  const vectors = await embedder.embed([...pairs.flat(), ...notes]);
  const nearest = (at, isLeftOut) =>
    Math.max(...vectors.map((vector, other) => (isLeftOut(other) ? -1 : dot(vector, vectors[at]))));
  return {
    pairs: pairs.map((_, at) => ({
      own: dot(vectors[2 * at], vectors[2 * at + 1]),
      other: nearest(2 * at + 1, (other) => other === 2 * at || other === 2 * at + 1),
    })),
    notes: notes.map((_, at) => nearest(2 * pairs.length + at, (other) => other === 2 * pairs.length + at)),
  };
}

const { values: config } = readSettings(embeddingSettings, process.env);
const embedder = await openEmbedder(config);
process.stdout.write(`${embedder.identity.provider} ${embedder.identity.model}\n`);
for (const half of [0, 1]) {
  const measured = [await measure(embedder, data.en, half), await measure(embedder, data.zh, half)];
  const { pairs, notes } = measured[0];
  process.stdout.write(
    `\n${half === 0 ? 'for choosing' : 'for judging'}: ${pairs.length} changes, ${notes.length} other notes a language\n`,
  );
  process.stdout.write(
    'cosine   en: change met  another met  note met in vain   zh: change met  another met  note met in vain\n',
  );
  for (const threshold of THRESHOLDS) {
    const cells = measured.flatMap(({ pairs: changes, notes: others }) => [
      share(changes, ({ own, other }) => own >= threshold && own > other).padStart(16),
      share(changes, ({ own, other }) => other >= threshold && other >= own).padStart(13),
      share(others, (near) => near >= threshold).padStart(18),
    ]);
    process.stdout.write(`${threshold.toFixed(2)} ${cells.join('')}\n`);
  }
}
