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

/** Words of a question about whoever asks it: `where do I live`, `if I told you`, `what is my sister's job`, 我住在哪里, 私はどこ. */
const OF_SELF =
  /\b(?:do|did|am|was|have|had)(?:n['’]t)? i\b|\b(?:where|what|who|whom|when|which|whether|if|how (?:old|many|much|long|tall|often))(?: \p{L}{1,20})? i\b|\b(?:is|are|was|were|what['’]s|who['’]s|where['’]s|when['’]s) my\b|我.{0,30}(?:哪|什么|谁|几|多少|是不是|有没有|吗|嗎)|(?:俺|僕|私|わたし).{0,30}(?:何|どこ|誰|いつ|どれ|いくつ|ですか|ますか)/iu;

/** Words of a question for help or advice, which tells what it is about; `can you tell me` and its like ask for what is known. */
const FOR_HELP =
  /\b(?:can|could|would|will|should|may|might) (?:i|we|you)\b(?! (?:please )?(?:tell|remind|remember|say|know)\b)|[帮幫教]我|怎么|怎麼|如何|怎样|怎樣|应该|應該|我该|我該|建议|建議|推荐|推薦|どうやって|どうすれば|べき|たらいい|ましょう|(?<!教えて)(?:ください|くれ|もらえ)/iu;

/** Whether somebody asks what is known of themselves: that tells nothing of them. */
const asksOfSelf = (question: string): boolean => OF_SELF.test(question) && !FOR_HELP.test(question);

/** What somebody says. Questions are left out of it: those of an assistant, and those of people about themselves. */
const toStated = ({ by, text }: Saying): string =>
  splitSentences(text)
    .filter((sentence) => !endsAsking(sentence) || (by === 'user' && !asksOfSelf(sentence)))
    .join(' ')
    .trim();

/**
 * Who said a fact: of those whom its evidence has, from whom most to whom least is believed, each who says words of it that nobody
 * before them did. Whoever asks what is known of them says nothing. Where nobody says a word of it, all of them.
 */
export function findSaidBy(content: string, evidence: readonly WindowTurn[], toSpeaker: ToSpeaker): readonly Trust[] {
  const all = evidence.flatMap((turn) => toSayings(turn, toSpeaker));
  const stated = all.map((one) => ({ by: one.by, text: toStated(one) })).filter(({ text }) => text !== '');
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
