import type { NoteType } from '@contextloom/contracts';
import { detectMainLanguage } from '@contextloom/languages';
import { splitSentences } from '@contextloom/retrieval';
import { projectPatterns as patterns, sessionMarks, splitStatement } from '@contextloom/retrieval/statements';
import { isInstruction, isTakeover, maskSecrets } from '@contextloom/safety';
import type { Turn } from '@contextloom/transcripts/transcript';
import { isChinese } from '../grounding/script.ts';
import { RULES } from '../rules-name.ts';
import type { Note, NoteReader } from './note-reader.ts';

/** Words by which a sentence of a working session is known to be worth keeping. */
interface NoteCue {
  readonly type: NoteType;
  /** How much it weighs against other sentences of the session. */
  readonly weight: number;
  readonly words: RegExp;
}

/** How much a rule weighs that a person states; one that an assistant states is its own. */
const RULE_WEIGHT = 5;

/** The first cue that fits names the type. */
const noteCues: readonly NoteCue[] = [
  { type: 'insight', weight: 5, words: patterns.decisions },
  { type: 'insight', weight: 4, words: patterns.causes },
  { type: 'insight', weight: 3, words: patterns.uses },
  { type: 'testing', weight: 2, words: patterns.tests },
  { type: 'plan', weight: 2, words: patterns.openEnds },
];

/** Reasons make a decision worth more. */
const reasonWords = patterns.reasons;

/** A sentence that goes on with the reason of the one before. */
const continuesReason = /^(?:because|since|that way|this way|the reason|otherwise|因为|由于|这样|否则|原因)/iu;

/** What an assistant says it is about to do, and courtesies: no later session needs them. */
const chatter =
  /^(?:let me|i'll|i will|i'm going to|i am going to|now i|now let|i need to|i should|first,? (?:i|let)|looking at|checking|sure|great|perfect|thanks|thank you|sounds good|you're (?:absolutely )?right|让我|我来|我先|我现在|接下来我|好的|谢谢|没问题)/iu;

/** Most sentences that are kept of one session: the rest is what any session says. */
const MAX_NOTES = 12;
/** Shortest and longest sentence that makes sense by itself, in UTF-16 code units; a Chinese one says as much in a third. */
const LENGTHS = { least: 24, leastChinese: 8, most: 400 };
/** Of a rule: "Never push to main." says all. */
const RULE_LENGTHS = { least: 12, leastChinese: 5, most: 400 };
/** How much of a turn is read, in UTF-16 code units: the rest is pasted text. */
const READ_LENGTH = 20_000;
const ASKED_LENGTH = 240;
const OUTCOME_LENGTH = 600;

interface Candidate {
  readonly type: Note['type'];
  readonly text: string;
  readonly at?: Note['at'];
  readonly weight: number;
  readonly score: number;
  readonly order: number;
}

/** The words of a turn without code and the marks of Markdown, secrets masked. */
export function toProse(text: string): string {
  const lines = text.slice(0, READ_LENGTH).split('\n');
  let isCode = false;
  const prose = lines.filter((line) => {
    const isFence = /^\s*(?:```|~~~)/u.test(line);
    if (isFence) isCode = !isCode;
    return !isFence && !isCode;
  });
  const plain = prose.map((line) => line.replace(/^[\s#>*+|-]+/u, '').replace(/\*\*|__/gu, ''));
  return maskSecrets(plain.join('\n')).text;
}

function hasFitLength(sentence: string, lengths = LENGTHS): boolean {
  const least = isChinese(sentence) ? lengths.leastChinese : lengths.least;
  return sentence.length >= least && sentence.length <= lengths.most;
}

const isQuestion = (sentence: string): boolean => /[?？]["'”’)]*$/u.test(sentence);

/** What a sentence leaves by its words: a rule and a decision that stand in one are two notes. */
function readSentence(sentence: string, isOfPerson: boolean): readonly Pick<Candidate, 'type' | 'text' | 'weight'>[] {
  const statements = isOfPerson ? splitStatement(sentence, 'demanded') : [{ kind: 'other', text: sentence } as const];
  return statements.flatMap(({ kind, text }) => {
    if (kind === 'rule') {
      // An order to whoever works on the project is what a rule is.
      return hasFitLength(text, RULE_LENGTHS) && !isTakeover(text)
        ? [{ type: 'requirement' as const, text, weight: RULE_WEIGHT }]
        : [];
    }
    const cue = isInstruction(text) ? undefined : noteCues.find(({ words }) => words.test(text));
    const isSplit = statements.length > 1;
    return cue !== undefined && hasFitLength(text, isSplit ? RULE_LENGTHS : LENGTHS)
      ? [{ type: cue.type, text, weight: cue.weight }]
      : [];
  });
}

function* findCandidates({ text, voice, at }: Turn, from: number): Generator<Candidate> {
  const sentences = toProse(text)
    .split('\n')
    .flatMap((line) => splitSentences(line))
    .map((sentence) => sentence.trim());
  for (const [index, sentence] of sentences.entries()) {
    if (isQuestion(sentence) || chatter.test(sentence)) continue;
    const found = readSentence(sentence, voice === 'person');
    if (found.length === 0 || isTakeover(sentence)) continue;
    const next = sentences[index + 1] ?? '';
    const reason = continuesReason.test(next) && next.length <= LENGTHS.most ? ` ${next}` : '';
    const isReasoned = reason !== '' || reasonWords.test(sentence);
    for (const one of found) {
      const score = one.weight + (isReasoned ? 1 : 0) + (voice === 'person' ? 1 : 0);
      yield { ...one, text: one === found.at(-1) ? one.text + reason : one.text, at, score, order: from + index };
    }
  }
}

function cut(text: string, length: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** What was asked first and what the last answer says came of it; undefined where the assistant said nothing. */
function summarize(turns: readonly Turn[]): Note | undefined {
  const opening = turns.find(({ voice, text }) => voice === 'person' && text.trim() !== '');
  const last = turns.findLast(({ voice, text }) => voice === 'assistant' && toProse(text).trim() !== '');
  if (opening === undefined || last === undefined) return undefined;
  const [request, outcome] = [cut(toProse(opening.text), ASKED_LENGTH), cut(toProse(last.text), OUTCOME_LENGTH)];
  if (!hasFitLength(outcome) && outcome.length < LENGTHS.most) return undefined;
  if (isInstruction(request) || isInstruction(outcome)) return undefined;
  const marks = sessionMarks[detectMainLanguage(request)];
  const content = `${marks.request}${request}\n${marks.outcome}${outcome}`;
  return { type: 'development', content, at: last.at ?? opening.at };
}

/**
 * The sentences of a working session that state a decision, a rule, a cause, a test result or a plan, in the order in which they were
 * said, and what came of it.
 */
export function findNotes(turns: readonly Turn[]): readonly Note[] {
  const said = turns.filter(({ voice }) => voice !== 'system');
  const known = new Set<string>();
  const candidates = said
    .flatMap((turn, at) => [...findCandidates(turn, at * READ_LENGTH)])
    .filter(({ text }) => {
      const key = text.toLowerCase();
      return !known.has(key) && known.add(key);
    });
  const best = candidates.sort((a, b) => b.score - a.score || a.order - b.order).slice(0, MAX_NOTES);
  const notes = best.sort((a, b) => a.order - b.order).map(({ type, text, at }) => ({ type, content: text, at }));
  const summary = summarize(said);
  return summary === undefined ? notes : [...notes, summary];
}

/** The reader that needs no model. */
export function createRulesNoteReader(): NoteReader {
  return { info: { kind: 'rules', name: RULES }, read: async (turns) => ({ notes: findNotes(turns) }) };
}
