// Conversations between people as sets of the panel: LoCoMo-shaped files and our own towns.
import { readFile } from 'node:fs/promises';
import { readLocomo } from '../recall/read-locomo.mjs';
import { ownSets, readTown } from '../recall/read-town.mjs';

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

const toPanelDocument = ({ id, user, content, speaker, session, position, turn, occurredAt }) => ({
  id,
  user,
  content,
  tags: [],
  metadata: { user_id: user, speaker, sequence: session, position, turn, occurred_at: occurredAt },
});

const toPanelQuestion = ({ id, user, question, evidence }) => ({ id, user, question, evidence });

/** Every fifth question is also asked of the next conversation, which knows nothing of its people. */
function toForeign(questions) {
  const users = [...new Set(questions.map(({ user }) => user))];
  const next = new Map(users.map((user, at) => [user, users[(at + 1) % users.length]]));
  return questions
    .filter((_, at) => at % 5 === 0)
    .map((one) => ({ ...one, id: `${one.id}/elsewhere`, user: next.get(one.user), evidence: [] }));
}

/** A LoCoMo-shaped file; questions whose evidence is not there are left out. */
export async function readLocomoSet(file) {
  const { documents, questions } = readLocomo('locomo', await readJson(file));
  const known = questions.filter(({ evidence }) => evidence.length > 0).map(toPanelQuestion);
  return { documents: documents.map(toPanelDocument), questions: [...known, ...toForeign(known)] };
}

/** One of our own towns; the questions that nothing answers are its own. */
export async function readTownSet(language) {
  const file = ownSets.find((name) => name.endsWith(`${language}.json`));
  const { documents, questions } = readTown(`town-${language}`, await readJson(file));
  return { documents: documents.map(toPanelDocument), questions: questions.map(toPanelQuestion) };
}
