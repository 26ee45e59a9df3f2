import { readEpisode } from '@contextloom/contracts';
import { detectLanguage, wordsOf } from '@contextloom/languages';
import { isAssistantName } from '@contextloom/retrieval';
import { splitPassages } from '@contextloom/retrieval/chunk';
import { findReplaced, type Saying } from '@contextloom/retrieval/states';
import { toTime } from './order.ts';
import { isEpisode, type Mark, type PromptMemory, toOwnTime, toStatedDay } from './prompt-memories.ts';

/** Marks by the memories and turns that they are for. */
export type Marks = ReadonlyMap<string, ReadonlyMap<number, Mark>>;

/** Longer values are shown by their beginning. */
const LONGEST_NOW = 120;
const USER = /^(?:user|human|me|我|用户)$/iu;

/** A mark as a prompt tells it, in the language of what it stands behind. */
export function toMarkText({ until, now, isCorrection = false }: Mark, said: string): string {
  const value = now === undefined || now.length <= LONGEST_NOW ? now : `${now.slice(0, LONGEST_NOW - 1)}…`;
  const { ended, corrected } = wordsOf(detectLanguage(said, { signsFrom: 0 }) ?? 'en').prompt;
  return (isCorrection ? corrected : ended)(until, value);
}

interface PlacedSaying extends Saying {
  readonly memory: string;
  readonly turn: number;
  readonly month: string;
}

/** What people said in memories; what an assistant said states nothing of them. */
function toSayings(
  memories: readonly PromptMemory[],
  names: readonly string[],
  zone?: string,
): readonly PlacedSaying[] {
  const known = new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''));
  return memories.flatMap(({ memory }) => {
    const time = toTime(toOwnTime(memory));
    if (time === undefined || memory.id === '') return [];
    const month = (toStatedDay(memory, zone) ?? new Date(time).toISOString()).slice(0, 7);
    const turns = isEpisode(memory)
      ? readEpisode(memory.content).turns
      : [{ speaker: undefined, words: memory.content.replace(/^\[[\d-]{4,10}\] /u, '') }];
    return turns.flatMap(({ speaker = '', words }, turn) => {
      const name = speaker.trim();
      if (isAssistantName(name) || known.has(name.toLowerCase())) return [];
      return [{ memory: memory.id, turn, speaker: USER.test(name) ? '' : name, text: words, time, month }];
    });
  });
}

/** Finds which turns of memories say what the same person says in a later one to be over, in so many words. */
export function findMarks(
  memories: readonly PromptMemory[],
  { names = [], zone }: { readonly names?: readonly string[] | undefined; readonly zone?: string | undefined },
): Marks {
  const sayings = toSayings(memories, names, zone);
  const marks = new Map<string, Map<number, Mark>>();
  for (const [at, { by, now, sentence, since }] of findReplaced(sayings)) {
    const [said, later, first] = [sayings[at], sayings[by], sayings[since]];
    if (said === undefined || later === undefined || first === undefined) continue;
    const ofMemory = marks.get(said.memory) ?? new Map<number, Mark>();
    ofMemory.set(said.turn, { until: first.month, now, sentence, by: { memory: later.memory, turn: later.turn } });
    marks.set(said.memory, ofMemory);
  }
  return marks;
}

/** A turn with a mark at its end; one of several passages has it behind the sentence that is over, which may be included alone. */
function markTurn(text: string, mark: Mark): string {
  const said = mark.sentence ?? '';
  const place = said === '' || splitPassages(text).length < 2 ? -1 : text.indexOf(said);
  const end = place < 0 ? text.trimEnd().length : place + said.length;
  return `${text.slice(0, end)} ${toMarkText(mark, said === '' ? text : said)}${text.slice(end)}`;
}

/** A memory as it is included, with the marks of what in it is over. */
export function withMarks(included: PromptMemory, marks: ReadonlyMap<number, Mark> | undefined): PromptMemory {
  if (marks === undefined || marks.size === 0) return included;
  if (!isEpisode(included.memory)) {
    const mark = marks.get(0);
    return mark === undefined ? included : { ...included, text: markTurn(included.text, mark), marks };
  }
  const { date, turns } = readEpisode(included.text);
  const lines = turns.map(({ text }, turn) => {
    const mark = marks.get(turn);
    return mark === undefined ? text : markTurn(text, mark);
  });
  return { ...included, text: [...(date === undefined ? [] : [`[${date}]`]), ...lines].join('\n'), marks };
}

/** The marks that a text of a memory tells. */
export function toPromptMarks({ text, marks }: PromptMemory, included: string): readonly Mark[] {
  return [...(marks?.values() ?? [])].filter((mark) => included.includes(toMarkText(mark, mark.sentence ?? text)));
}
