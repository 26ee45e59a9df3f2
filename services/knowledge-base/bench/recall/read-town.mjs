// Our own question sets: invented conversations of a town, of which several may belong to one user.
import { fileURLToPath } from 'node:url';

/** The sets that are measured when no file is named. */
export const ownSets = ['town.en.json', 'town.zh.json'].map((name) =>
  fileURLToPath(new URL(`./sets/${name}`, import.meta.url)),
);

function toDocuments({ id: conversation, user, sessions }) {
  return sessions.flatMap(({ date, turns }, at) =>
    turns.map(({ id, speaker, text }, position) => ({
      id,
      user,
      conversation,
      session: `${conversation}/${at + 1}`,
      turn: id,
      position,
      speaker,
      occurredAt: new Date(date).toISOString(),
      content: `${speaker}: ${text}`,
    })),
  );
}

/** A question is of the conversation that its first evidence is of; one without an answer is of its user. */
function toQuestion({ id, user, question, kind, evidence }, conversationOf) {
  const conversation = conversationOf.get(evidence[0]) ?? user;
  return { id, user, conversation, question, groups: ['all', kind], evidence };
}

/** Whether parsed JSON has the shape of our own sets. */
export function isTown(data) {
  return Array.isArray(data?.conversations) && Array.isArray(data.questions);
}

/** Every turn is a document of its conversation's user. */
export function readTown(name, data) {
  const documents = data.conversations.flatMap(toDocuments);
  const conversationOf = new Map(documents.map(({ id, conversation }) => [id, conversation]));
  return { name, documents, questions: data.questions.map((entry) => toQuestion(entry, conversationOf)) };
}
