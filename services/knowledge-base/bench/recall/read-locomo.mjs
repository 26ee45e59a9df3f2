// LoCoMo-shaped files: conversations of dated sessions, with questions whose evidence names turns.

const CATEGORIES = { 1: 'multi-hop', 2: 'temporal', 3: 'open-domain', 4: 'single-hop', 5: 'adversarial' };
const ANSWERABLE = 4;

/** `1:56 pm on 8 May, 2023` as ISO 8601; the files name no time zone, so it is read as UTC. */
function toInstant(text) {
  const [, clock, day] = /^(.+?) on (.+)$/.exec(text.trim()) ?? [];
  const instant = new Date(`${day?.replace(',', '')} ${clock} UTC`);
  if (Number.isNaN(instant.getTime())) throw new Error(`not a date of a session: ${text}`);
  return instant.toISOString();
}

function toDocuments(user, conversation) {
  // Some conversations have more dates than sessions: the lists say which sessions there are.
  const sessions = Object.entries(conversation).filter(([, turns]) => Array.isArray(turns));
  return sessions.flatMap(([name, turns]) => {
    const occurredAt = toInstant(conversation[`${name}_date_time`]);
    return turns.map(({ dia_id: turn, speaker, text, blip_caption: caption }, position) => ({
      id: `${user}/${turn}`,
      user,
      conversation: user,
      session: `${user}/${name}`,
      turn,
      position,
      speaker,
      occurredAt,
      content: `${speaker}: ${text}${caption ? ` [photo: ${caption}]` : ''}`,
    }));
  });
}

/** A few entries are malformed (`D8:6; D9:17`, `D:11:26`, `D30:05`) and a few name turns that do not exist. */
function toEvidence(user, entries, known) {
  const ids = entries.flatMap((entry) =>
    [...String(entry).matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`),
  );
  return [...new Set(ids)].map((id) => `${user}/${id}`).filter((id) => known.has(id));
}

function toQuestions(user, qa, known) {
  return qa.map(({ question, evidence, category }, at) => ({
    id: `${user}/${at}`,
    user,
    conversation: user,
    question,
    groups: [
      'all',
      ...(category <= ANSWERABLE ? ['categories 1-4'] : []),
      `${category} ${CATEGORIES[category] ?? 'other'}`,
    ],
    evidence: toEvidence(user, evidence ?? [], known),
  }));
}

/** Whether parsed JSON has the shape of LoCoMo's files. */
export function isLocomo(data) {
  return [data].flat().every((entry) => Array.isArray(entry?.qa) && typeof entry.conversation === 'object');
}

/** One user for each conversation; every turn is a document. */
export function readLocomo(name, data) {
  const parts = [data].flat().map(({ sample_id: user, conversation, qa }) => {
    const documents = toDocuments(user, conversation);
    return { documents, questions: toQuestions(user, qa, new Set(documents.map(({ id }) => id))) };
  });
  return {
    name,
    documents: parts.flatMap(({ documents }) => documents),
    questions: parts.flatMap(({ questions }) => questions),
  };
}
