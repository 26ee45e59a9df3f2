// Talk about other things around a life: what people ask an assistant all day, and what has nothing to do with them.

/** So far apart in the list of all exchanges are two that follow each other; it shares no divisor with their number. */
const STEP = 37;
const EXCHANGES_A_SESSION = 6;

function createExchanges({ things, exchanges }, [user, assistant]) {
  const all = things.flatMap((thing) => exchanges.map((pair) => pair.map((text) => text.replaceAll('{}', thing))));
  return (at) => {
    const [question, answer] = all[(at * STEP) % all.length];
    return [
      { speaker: user, text: question },
      { speaker: assistant, text: answer },
    ];
  };
}

/**
 * A conversation with so many times the turns of another one, about other things, in sessions spread evenly over its time.
 * The texts are of `sets/other-talk.json`; the names are those of the conversation's first two turns.
 */
export function createOtherTalk(conversation, texts, times) {
  const turns = conversation.sessions.flatMap((session) => session.turns);
  const toExchange = createExchanges(texts, [turns[0].speaker, turns[1].speaker]);
  const count = Math.ceil((times * turns.length) / 2 / EXCHANGES_A_SESSION);
  const [first, last] = [conversation.sessions[0], conversation.sessions.at(-1)].map(({ date }) => Date.parse(date));
  const toSession = (at) => ({
    date: new Date(first + ((at + 0.5) / count) * (last - first)).toISOString(),
    turns: Array.from({ length: EXCHANGES_A_SESSION }, (_, one) => toExchange(at * EXCHANGES_A_SESSION + one)).flat(),
  });
  const sessions = Array.from({ length: count }, (_, at) => toSession(at));
  return { conversation_id: `${conversation.conversation_id}-other-talk`, sessions };
}
