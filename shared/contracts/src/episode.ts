/** What somebody said in an episode. */
export interface EpisodeTurn {
  /** The name before the words; undefined for lines that nobody said, such as those of an excerpt's gap. */
  readonly speaker: string | undefined;
  /** The words, without the name. */
  readonly words: string;
  /** The turn as it stands in the content, the name included. */
  readonly text: string;
}

/** A piece of a conversation, word for word. */
export interface Episode {
  /** The day of its first turn, `YYYY-MM-DD`. */
  readonly date: string | undefined;
  readonly turns: readonly EpisodeTurn[];
}

/** A line with the date of all that follows it. */
const HEADER = /^\[(\d{4}-\d{2}-\d{2})\](?:\n|$)/u;
/** UTF-16 units of the longest name that is read as one: a longer beginning of a line is a sentence with a colon. */
const LONGEST_NAME = 40;
const SPEAKER = new RegExp(String.raw`^([^:：\s][^:：\n]{0,${LONGEST_NAME - 1}})[:：](?:\s|$)`, 'u');
/** The name before what is said, however it is written; what comes out of it is judged, not shown. */
const ANY_SPEAKER = /^[^:：\n<>[\]{}|#]{1,40}[:：]\s*/u;
/** What a turn's second and later lines begin with, so that none of them can pass for another turn. */
const INDENT = '  ';
/** Whatever somebody may take for the end of a line. */
const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/gu;

/** A name as it stands before the words: on one line, without a colon, at most 40 UTF-16 units. */
function toLabel(speaker: string): string {
  const name = speaker.replace(/[\s:：]+/gu, ' ').trim();
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`;
}

/**
 * The content of an episode: `[YYYY-MM-DD]` where the day is known, then `Speaker: words` a turn. The lines of a turn after its first
 * are indented by two spaces, so that {@link readEpisode} finds the same turns again, whatever their words look like.
 */
export function writeEpisode(
  turns: readonly { readonly speaker: string; readonly text: string }[],
  date: string | undefined,
): string {
  const lines = turns.map(({ speaker, text }) => `${toLabel(speaker)}: ${text.replace(LINE_BREAK, `\n${INDENT}`)}`);
  return [...(date === undefined ? [] : [`[${date}]`]), ...lines].join('\n');
}

/**
 * Takes the content of an episode apart. A line goes on with the turn before if it is indented, or has no name. Episodes that were
 * stored before lines were indented are read as well as they can be: there, a line that begins as a turn does is taken for one.
 */
export function readEpisode(content: string): Episode {
  const date = HEADER.exec(content)?.[1];
  const lines = (date === undefined ? content : content.slice(`[${date}]\n`.length)).split('\n');
  const turns: { speaker: string | undefined; words: string[]; lines: string[] }[] = [];
  if (date !== undefined && lines.length === 1 && lines[0] === '') return { date, turns: [] };
  for (const line of lines) {
    const last = turns.at(-1);
    const [label = '', speaker] = SPEAKER.exec(line) ?? [];
    if (speaker === undefined && last !== undefined) {
      last.lines.push(line);
      last.words.push(line.startsWith(INDENT) ? line.slice(INDENT.length) : line);
    } else turns.push({ speaker, words: [line.slice(label.length)], lines: [line] });
  }
  return {
    date,
    turns: turns.map(({ speaker, words, lines: own }) => ({ speaker, words: words.join('\n'), text: own.join('\n') })),
  };
}

/** The content of an episode without the line of its date. */
export function withoutDate(content: string): string {
  return content.replace(HEADER, '');
}

/** The words of a line without the name before them: what is judged where it matters what was said, not who is named. */
export function withoutSpeaker(line: string): string {
  return line.replace(ANY_SPEAKER, '');
}

/** The content of an episode as it was written before the lines of a turn were indented: what two versions are compared by. */
export function withoutIndents(content: string): string {
  return content.replaceAll(`\n${INDENT}`, '\n');
}
