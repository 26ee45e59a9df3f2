import { readEpisode } from '@contextloom/contracts/episode';

/** A sentence, and who said it. */
export interface Said {
  readonly speaker: string | undefined;
  readonly words: string;
}

/** Longer texts are read as conversations up to here, in UTF-16 code units. */
const MOST_READ = 100_000;
/** Who speaks where no names are known. */
const PARTS = new Set(['user', 'assistant']);

/** What is said in a text that is a piece of a conversation; nothing for other texts, such as a note with a colon in it. */
export function toConversation(text: string): readonly Said[] {
  const { date, turns } = readEpisode(text.slice(0, MOST_READ));
  const speakers = turns.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker.toLowerCase()]));
  const isConversation = date !== undefined || speakers.length > 1 || speakers.some((one) => PARTS.has(one));
  return isConversation ? turns.map(({ speaker, words }) => ({ speaker, words })) : [];
}

/** A memory in one line: what was said, without names and dates. */
export function toLine(text: string): string {
  const said = toConversation(text);
  const line = said.length === 0 ? text : said.map(({ words }) => words).join(' – ');
  return line.length > MOST_LINE ? `${line.slice(0, MOST_LINE).replace(/\s\S*$/u, '')} …` : line;
}

const MOST_LINE = 200;
