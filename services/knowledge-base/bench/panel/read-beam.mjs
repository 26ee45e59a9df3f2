// BEAM-shaped folders (mohammadtavakoli78/BEAM, `chats/<length>/<number>`): chats with an assistant, and probing questions whose
// `source_chat_ids` name the messages that answer them. No licence is stated: the data stays where it is.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const readJson = async (...parts) => JSON.parse(await readFile(join(...parts), 'utf8'));

/** `March-15-2024` as ISO 8601; undefined where there is none. */
function toInstant(anchor) {
  const time = anchor === undefined ? Number.NaN : Date.parse(`${anchor.replaceAll('-', ' ')} UTC`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** One document a message; a batch is a sitting. */
function toDocuments(user, batches) {
  let occurredAt;
  return batches.flatMap(({ batch_number: batch, turns }) =>
    turns.flat().map(({ id, role, content, time_anchor: anchor }, position) => {
      occurredAt = toInstant(anchor) ?? occurredAt;
      return {
        id: `${user}/${id}`,
        user,
        content: `${role}: ${content.replace(/\s*->->[\s\d,]*$/u, '')}`,
        tags: [],
        metadata: {
          user_id: user,
          speaker: role,
          sequence: `${user}/${batch}`,
          position,
          ...(occurredAt !== undefined && { occurred_at: occurredAt }),
        },
      };
    }),
  );
}

/** All ids of messages, however they are nested. */
const toIds = (source) =>
  typeof source === 'object' && source !== null ? Object.values(source).flatMap(toIds) : [source];

/** Questions of the kind `abstention` are those that nothing answers. */
function toQuestions(user, probing, known) {
  return Object.entries(probing).flatMap(([kind, entries]) =>
    entries.flatMap(({ question, source_chat_ids: source = [] }, at) => {
      const evidence = [...new Set(toIds(source))].map((id) => `${user}/${id}`).filter((id) => known.has(id));
      if (evidence.length === 0 && kind !== 'abstention') return [];
      return [{ id: `${user}/${kind}/${at}`, user, question, evidence }];
    }),
  );
}

/** Whether what a message tells of is among the simple ones: such a question is asked of another chat, which answers it not. */
const isPlain = ({ id }) => id.includes('/information_extraction/');

/** Each chat is asked what another one answers, so that there are more than two questions a chat that nothing answers. */
function toForeign(chats) {
  return chats.flatMap(({ user }, at) => {
    const { user: other, questions } = chats[(at + Math.ceil(chats.length / 2)) % chats.length];
    if (other === user) return [];
    return questions.filter(isPlain).map((one) => ({ ...one, id: `${user}/of/${one.id}`, user, evidence: [] }));
  });
}

/** Reads all numbered chats of a folder. */
export async function readBeam(folder) {
  const numbers = (await readdir(folder)).filter((name) => /^\d+$/u.test(name)).sort((a, b) => Number(a) - Number(b));
  const chats = [];
  for (const number of numbers) {
    const user = `chat-${number}`;
    const documents = toDocuments(user, await readJson(folder, number, 'chat.json'));
    const probing = await readJson(folder, number, 'probing_questions', 'probing_questions.json');
    chats.push({ user, documents, questions: toQuestions(user, probing, new Set(documents.map(({ id }) => id))) });
  }
  return {
    documents: chats.flatMap(({ documents }) => documents),
    questions: [...chats.flatMap(({ questions }) => questions), ...toForeign(chats)],
  };
}
