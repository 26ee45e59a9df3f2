// Public sets that the ranking was not made with: questions about paragraphs, and about what was said in meetings. Their files stay where
// they are.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const readJson = async (...parts) => JSON.parse(await readFile(join(...parts), 'utf8'));

/** The users after each: a question about another's documents is one that nothing answers. */
function toNext(users) {
  const all = [...users];
  return new Map(all.map((user, at) => [user, all[(at + 1) % all.length]]));
}

/** Every fifth question is also asked of the next user. */
function toForeign(questions) {
  const next = toNext(new Set(questions.map(({ user }) => user)));
  return questions
    .filter((_, at) => at % 5 === 0)
    .map((one) => ({ ...one, id: `${one.id}/elsewhere`, user: next.get(one.user), evidence: [] }));
}

/** The articles of a file go to so many users in turn. */
const USERS = 4;

/** The sentences of a text with where each begins. */
function toSentences(text) {
  return [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)].filter(
    ({ segment }) => segment.trim() !== '',
  );
}

/**
 * A file of SQuAD's shape, such as one of XQuAD (deepmind/xquad, CC BY-SA 4.0), CMRC 2018 (ymcui/cmrc2018), DRCD (DRCKnowledgeTeam/DRCD) or
 * JaQuAD (SkelterLabsInc/JaQuAD, all CC BY-SA): paragraphs of Wikipedia, and questions that people wrote about them.
 * @param unit whether a document is a paragraph or a sentence
 * @param most so many questions of each article at most
 */
export async function readSquad(file, unit, most = 40) {
  const { data } = await readJson(file);
  const documents = [];
  const questions = [];
  for (const [article, { paragraphs }] of data.entries()) {
    const user = `reader-${article % USERS}`;
    const asked = [];
    for (const [at, { context, qas }] of paragraphs.entries()) {
      const units = unit === 'paragraph' ? [{ segment: context, index: 0 }] : toSentences(context);
      const idOf = (index) => `${article}/${at}/${index}`;
      documents.push(
        ...units.map(({ segment, index }) => ({
          id: idOf(index),
          user,
          content: segment.trim(),
          tags: [],
          metadata: { user_id: user },
        })),
      );
      for (const { id, question, answers } of qas) {
        const holder = units.findLast(({ index }) => index <= (answers[0]?.answer_start ?? -1));
        if (holder !== undefined) asked.push({ id, user, question, evidence: [idOf(holder.index)] });
      }
    }
    questions.push(...asked.slice(0, most));
  }
  return { documents, questions: [...questions, ...toForeign(questions)] };
}

/** A question about more turns than this asks for a summary. */
const MOST_TURNS = 20;

/** QMSum (Yale-LILY/QMSum, MIT), a folder of meetings: what several people said, and the turns that each question is about. */
export async function readQmsum(folder) {
  const documents = [];
  const questions = [];
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.json')).sort()) {
    const user = name.replace(/\.json$/u, '');
    const { meeting_transcripts: turns, specific_query_list: asked } = await readJson(folder, name);
    documents.push(
      ...turns.map(({ speaker, content }, position) => ({
        id: `${user}/${position}`,
        user,
        content: `${speaker}: ${content}`,
        tags: [],
        metadata: { user_id: user, speaker, sequence: user, position },
      })),
    );
    for (const [at, { query, relevant_text_span: spans }] of asked.entries()) {
      const evidence = spans.flatMap(([from, to]) =>
        Array.from({ length: Number(to) - Number(from) + 1 }, (_, offset) => `${user}/${Number(from) + offset}`),
      );
      if (evidence.length <= MOST_TURNS) questions.push({ id: `${user}/${at}`, user, question: query, evidence });
    }
  }
  return { documents, questions: [...questions, ...toForeign(questions)] };
}
