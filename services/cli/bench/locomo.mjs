// Reads the question sets of LoCoMo-shaped files: conversations with annotated evidence turns.

/** One question with the names and the words of the turns that answer it. */
function toQuestion(qa, turns) {
  const ids = (qa.evidence ?? []).flatMap((entry) =>
    [...String(entry).matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`),
  );
  const evidence = [...new Set(ids)].filter((id) => turns.has(id)).map((id) => ({ id, text: turns.get(id) }));
  return { question: qa.question, category: qa.category, answer: String(qa.answer ?? ''), evidence };
}

/**
 * Conversations with their questions of categories 1 to 4. Evidence entries are normalised (some are malformed or name
 * turns that do not exist); questions left without evidence are skipped.
 */
export function readQuestionSets(text) {
  const data = JSON.parse(text);
  return (Array.isArray(data) ? data : [data]).map(({ sample_id: id, conversation, qa }) => {
    const sessions = Object.values(conversation).filter(Array.isArray);
    const turns = new Map(sessions.flat().map((turn) => [turn.dia_id, turn.text.trim()]));
    const questions = qa
      .filter(({ category }) => category >= 1 && category <= 4)
      .map((entry) => toQuestion(entry, turns))
      .filter(({ evidence }) => evidence.length > 0);
    return { id, turnCount: turns.size, questions };
  });
}
