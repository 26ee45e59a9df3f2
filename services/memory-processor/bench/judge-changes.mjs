// Facts as a model wrote them, and the same made wrong: from another conversation with the names exchanged, with the evidence of
// another turn, and with a digit, month, place or name changed.

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const PLACES = ['Lisbon', 'Nairobi', 'Oslo', 'Denver', 'Kyoto'];
const NAMES = ['Priya', 'Gustavo', 'Ingrid', 'Tobias', 'Leila'];
const MONTH = new RegExp(`\\b(?:${MONTHS.join('|')})\\b`, 'u');
/** Half of the turns of a window before the evidence, and those after it. */
const AROUND = 9;

/** `1:56 pm on 8 May, 2023` as a day. */
function toDate(text) {
  const [, day, month, year] = /on (\d{1,2}) (\w+), (\d{4})/u.exec(text ?? '') ?? [];
  return day && `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function toGround({ conversation }, session, evidence) {
  const said = conversation[session] ?? [];
  const turns = said.map(({ speaker, text, dia_id: label, blip_caption: caption }) => ({
    speaker,
    label,
    voice: 'person',
    text: caption === undefined ? text : `${text} [photo: ${caption}]`,
  }));
  const first = Math.max(
    0,
    turns.findIndex(({ label }) => evidence.includes(label)),
  );
  const from = Math.max(0, first - AROUND);
  return {
    turns: turns.slice(from, first + AROUND),
    before: turns.slice(Math.max(0, from - 4), from),
    speakers: [conversation.speaker_a, conversation.speaker_b],
    date: toDate(conversation[`${session}_date_time`]),
  };
}

function* each(conversations, all) {
  for (const { sample_id: id, facts } of all) {
    const conversation = conversations.find((one) => one.sample_id === id);
    for (const { session, ...fact } of facts) {
      const key = session.replace('_observation', '');
      const said = conversation.conversation[key] ?? [];
      const evidence = fact.evidence.filter((label) => said.some(({ dia_id: own }) => own === label));
      if (evidence.length > 0) yield { conversation, key, fact: { ...fact, evidence } };
    }
  }
}

/** Facts of which something is exchanged; those without it are left out. */
const exchange = (pattern, replace) =>
  function* exchanged(conversations, all) {
    let number = 0;
    for (const { conversation, key, fact } of each(conversations, all)) {
      if (!pattern.test(fact.content)) continue;
      number += 1;
      const content = fact.content.replace(pattern, (match) => replace(match, number));
      yield { ground: toGround(conversation, key, fact.evidence), fact: { ...fact, content } };
    }
  };

export const changes = {
  *true(conversations, all) {
    for (const { conversation, key, fact } of each(conversations, all)) {
      yield { ground: toGround(conversation, key, fact.evidence), fact };
    }
  },
  *foreign(conversations, all) {
    const own = [...each(conversations, all)];
    for (const [at, { conversation, key, fact }] of own.entries()) {
      const other = own[(at + 397) % own.length];
      if (other.conversation === conversation) continue;
      const [{ speaker_a: a, speaker_b: b }, { speaker_a: c, speaker_b: d }] = [
        conversation.conversation,
        other.conversation.conversation,
      ];
      const content = other.fact.content.replaceAll(c, '\u0001').replaceAll(d, b).replaceAll('\u0001', a);
      yield { ground: toGround(conversation, key, fact.evidence), fact: { ...fact, content } };
    }
  },
  *'wrong evidence'(conversations, all) {
    for (const { conversation, key, fact } of each(conversations, all)) {
      const said = conversation.conversation[key];
      const at = said.findIndex(({ dia_id: label }) => label === fact.evidence[0]);
      const other = said[(at + Math.floor(said.length / 2)) % said.length];
      const ground = toGround(conversation, key, [other.dia_id]);
      yield { ground, fact: { ...fact, evidence: [other.dia_id] } };
    }
  },
  'changed digit': exchange(/\d+/u, (digits) => String(Number(digits) + 3)),
  'changed month': exchange(MONTH, (month) => MONTHS[(MONTHS.indexOf(month) + 5) % 12]),
  'changed place': exchange(/(?<=\b(?:in|to|from|at) )\p{Lu}\p{L}+/u, (_, number) => PLACES[number % PLACES.length]),
  'changed name': exchange(/(?<=\w )\p{Lu}\p{L}+(?='s| and|\b)/u, (_, number) => NAMES[number % NAMES.length]),
};
