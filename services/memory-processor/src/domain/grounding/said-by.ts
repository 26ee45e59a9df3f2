import { isWordOfPeople, type Trust, toSaidBy } from '@contextloom/contracts';
import { endsAsking, splitQuoted, splitSentences } from '@contextloom/retrieval';
import type { WindowTurn } from '../windows/window-turns.ts';
import { toUnits } from './support.ts';

/** Who speaks in a turn. */
export type ToSpeaker = (turn: WindowTurn) => Trust;

/** Words by who stands for them. */
interface Saying {
  readonly by: Trust;
  readonly text: string;
}

/** A turn as its speaker's own words, and as the document that they pasted. */
function toSayings(turn: WindowTurn, toSpeaker: ToSpeaker): readonly Saying[] {
  const by = toSpeaker(turn);
  if (!isWordOfPeople(by)) return [{ by, text: turn.text }];
  const { own, quoted } = splitQuoted(turn.text);
  const sayings: readonly Saying[] = [
    { by, text: own },
    { by: 'document', text: quoted },
  ];
  return sayings.filter(({ text }) => text.trim() !== '');
}

/** Who says something in turns: their speakers, and documents that they pasted. */
export function toSpeakers(turns: readonly WindowTurn[], toSpeaker: ToSpeaker): readonly Trust[] {
  return toSaidBy(turns.flatMap((turn) => toSayings(turn, toSpeaker)).map(({ by }) => by));
}

/** What a text says, without the questions in it. */
const toStated = (text: string): string =>
  splitSentences(text)
    .filter((sentence) => !endsAsking(sentence))
    .join(' ')
    .trim();

/**
 * Who said a fact: of those whom its evidence has, from whom most to whom least is believed, each who says words of it that nobody
 * before them did. Whoever asks a question says nothing. Where nobody says a word of it, all of them.
 */
export function findSaidBy(content: string, evidence: readonly WindowTurn[], toSpeaker: ToSpeaker): readonly Trust[] {
  const all = evidence.flatMap((turn) => toSayings(turn, toSpeaker));
  const stated = all.map(({ by, text }) => ({ by, text: toStated(text) })).filter(({ text }) => text !== '');
  const sayings = stated.length === 0 ? all : stated;
  const missing = new Set(toUnits(content));
  const needed = toSaidBy(sayings.map(({ by }) => by)).filter((by) => {
    const said = toUnits(
      sayings
        .filter((one) => one.by === by)
        .map(({ text }) => text)
        .join('\n'),
    );
    const added = [...missing].filter((unit) => said.has(unit));
    for (const unit of added) missing.delete(unit);
    return added.length > 0;
  });
  return needed.length > 0 ? needed : toSaidBy(sayings.map(({ by }) => by));
}

/** A yes, in the first words of an answer. */
const YES =
  /^[\s\p{P}]*(?:yes|yeah|yep|yup|right|exactly|correct|indeed|true|sure|absolutely|definitely|of course|that(?:'|’)?s (?:right|true|it|me|correct)|i (?:do|am|did|have|was)\b|对|是|嗯|没错|正确|当然|确实|好的|はい|うん|ええ|そう)/iu;

/** Why a fact is none of people: nobody but an assistant, a document or a tool said it, and nobody said yes to it. */
export function findForeignWord(content: string, evidence: readonly WindowTurn[]): string | undefined {
  const toSpeaker: ToSpeaker = ({ voice }) =>
    voice === 'person' ? 'user' : voice === 'assistant' ? 'assistant' : 'tool';
  const saidBy = findSaidBy(content, evidence, toSpeaker);
  if (saidBy.some(isWordOfPeople)) return undefined;
  const isDocument = saidBy.includes('document');
  const isConfirmed = !isDocument && evidence.some(({ voice, text }) => voice === 'person' && YES.test(text));
  if (isConfirmed) return undefined;
  return isDocument ? 'said by a document alone' : `said by the ${saidBy[0] ?? 'assistant'} alone`;
}
