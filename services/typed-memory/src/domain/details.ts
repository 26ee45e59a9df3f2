import type { MemoryType } from '@contextloom/contracts/typed-memory';
import { toComparableText } from '@contextloom/retrieval';
import { findAttribute } from '@contextloom/retrieval/attributes';
import { findInstant } from '@contextloom/retrieval/time';
import type { MemoryDetails } from './memory.ts';

/** How a definition is written: what is explained, then how. */
const DEFINITIONS: readonly RegExp[] = [
  /^(?<concept>[^\n:：。.!?！？]{1,80}?)\s*[:：]\s*(?<definition>\S[\s\S]*)$/u,
  /^(?<concept>[^\n。.!?！？]{1,60}?)(?:是指|指的是|的意思是|意思是|定义为|是一[种个类门项])(?<definition>\S[\s\S]*)$/u,
  /^(?<concept>[^\n。.!?！？]{1,40}?)是(?<definition>\S[\s\S]*)$/u,
  /^(?<concept>[^\n.!?]{1,80}?)\s+(?:is|are|means|refers to|stands for|denotes)\s+(?<definition>\S[\s\S]*)$/iu,
];

/** What is no concept: an hour, and a word that points at something without naming it. */
const NO_CONCEPT =
  /^(?:[\d:.]+|i|you|he|she|it|we|they|this|that|these|those|there|here|what|who|where|when|why|how|today|tomorrow|yesterday|[我你他她它]们?|[这那谁]|什么|今天|明天|昨天|现在)$/iu;

/** What a text explains and how; undefined when it does not read as an explanation. */
export function findConcept(text: string): { readonly concept: string; readonly definition: string } | undefined {
  for (const pattern of DEFINITIONS) {
    const { concept = '', definition = '' } = pattern.exec(text.trim())?.groups ?? {};
    // A definition that begins with slashes is the rest of an address.
    if (concept !== '' && definition !== '' && !NO_CONCEPT.test(concept.trim()) && !definition.startsWith('//')) {
      return { concept: concept.trim(), definition: definition.trim() };
    }
  }
  return undefined;
}

const ADDRESS = /\b(?:https?|ftp|file):\/\/[^\s<>"'）)】\]，。]+/u;
const PATH = /(?:^|\s)(?<path>(?:~?\/|[A-Za-z]:\\|\.{1,2}\/)[^\s<>"'，。]+)/u;
const FILE_NAME =
  /(?:^|[\s"'“《(（])(?<name>[\p{L}\p{N}_-][\p{L}\p{N} _.-]{0,80}\.[A-Za-z][A-Za-z0-9]{1,4})(?=$|[\s"'”》),，。）])/u;
const HEADING = /^#{1,6}\s+(?<title>\S.*)$/mu;
const MAX_TITLE = 120;

const kinds: readonly (readonly [kind: string, extensions: RegExp])[] = [
  ['image', /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|heic)$/iu],
  ['code', /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|h|cpp|cs|rb|php|sh|sql|ya?ml|toml|json)$/iu],
  ['document', /\.(?:pdf|docx?|odt|pptx?|xlsx?|csv|epub|md|txt|rtf|html?)$/iu],
];

/** What a resource is called, what it is and where it is, as far as its text and its context say. */
export function findResource(
  content: string,
  context: string | undefined,
): { readonly title: string; readonly kind: string; readonly location?: string } {
  const text = `${context ?? ''}\n${content.slice(0, 4_000)}`;
  const location =
    ADDRESS.exec(text)?.[0] ?? PATH.exec(text)?.groups?.['path'] ?? FILE_NAME.exec(text)?.groups?.['name'];
  const heading = HEADING.exec(content.slice(0, 4_000))?.groups?.['title'];
  const firstLine = content.trim().split('\n', 1)[0] ?? '';
  const title = (heading ?? context ?? firstLine).trim().slice(0, MAX_TITLE);
  const path = location?.replace(/[?#].*$/u, '') ?? '';
  const byExtension = kinds.find(([, extensions]) => extensions.test(path))?.[0];
  const kind = byExtension ?? (location === undefined ? 'text' : ADDRESS.test(location) ? 'link' : 'file');
  return { title, kind, ...(location !== undefined && { location }) };
}

/** Longer texts are read to here, in UTF-16 code units. */
const READ_LENGTH = 20_000;
/** A line that begins with a number, a bullet, or the word for a step. */
const LISTED =
  /^ ?(?:\d{1,3}[.)、．] ?|[①-⑳] ?|[-*•] |step \d{1,3} ?[:.：]? ?|第[一二三四五六七八九十\d]{1,3}步[:：,，]? ?)(?<step>\S.*)$/iu;
/** Where a step begins inside a line. */
const COUNTED = /(?:^|[\s;；.。,，])(?:step \d{1,2}|第[一二三四五六七八九十\d]{1,3}步) ?[:.：,，]? ?/iu;
const NUMBERED = /(?:^|[\s;；。.,，])(?:\d{1,2}[.)、．] ?|[①-⑳])(?=\D)/u;
const WORDS =
  /(?:^|[\s,，;；。.])(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after that|finally|lastly|首先|先(?![生前后进])|其次|然后|接着|再(?=[^次见])|最后)[,，:：]? ?/iu;
const ARROW = /→|⇒|=>|->/u;
/** What a step that was cut out of a line neither begins nor ends with. */
const MARKS = new Set(' \n,，;；。.、');

/** One blank for each run of them, so that no expression reads a run twice. */
const toReadable = (text: string): string => text.slice(0, READ_LENGTH).replace(/[^\S\n]+/gu, ' ');
/** What stands before the first colon is a heading. */
const withoutHeading = (text: string): string => text.replace(/^[^\n:：]{0,80}[:：] ?/u, '');

function trimMarks(text: string): string {
  const isMark = (at: number): boolean => MARKS.has(text.charAt(at));
  let [from, to] = [0, text.length];
  while (from < to && isMark(from)) from += 1;
  while (to > from && isMark(to - 1)) to -= 1;
  return text.slice(from, to);
}

const clean = (parts: readonly string[]): readonly string[] => parts.map(trimMarks).filter((part) => part !== '');

/** The parts of a text that its writer calls steps, where nothing else tells them apart. */
export function splitSteps(text: string): readonly string[] {
  const parts = clean(withoutHeading(toReadable(text)).split(/[;；\n]/u));
  return parts.length >= 2 ? parts : [];
}

/** The steps of a text in order; none when it does not read as several steps. */
export function findSteps(text: string): readonly string[] {
  const readable = toReadable(text);
  const listed = readable.split('\n').flatMap((line) => {
    const step = LISTED.exec(line)?.groups?.['step'];
    return step === undefined ? [] : [step.trim()];
  });
  if (listed.length >= 2) return listed;
  const body = withoutHeading(readable);
  for (const separator of [COUNTED, NUMBERED, ARROW, WORDS]) {
    const parts = clean(body.split(separator));
    if (parts.length >= 2) return parts;
  }
  return [];
}

/** How likes and dislikes are said; a later one about the same thing takes the place of the one before. */
const sentences: readonly RegExp[] = [
  /^(?:我|用户)(?:现在|其实|真的|已经|一直|最近|也|还|又|很|挺|最|特别|非常|不太|不怎么|不大|不再|再也不|不)*(?:喜欢|喜爱|热爱|爱(?![人好上])|讨厌|厌恶|受不了)(?<thing>.{1,40}?)了?[。.!！]*$/u,
  /^(?:我|用户)(?:现在|已经)?(?:不|不再|再也不)(?<thing>[吃喝].{1,40}?)了?[。.!！]*$/u,
  /^(?:i|the user|user)(?: really| still| also| now| quite| absolutely| do| does| don't| doesn't| do not| does not| no longer| never| can't| cannot)* (?:likes?|loves?|enjoys?|adores?|hates?|dislikes?|stand) (?<thing>.{1,80}?)(?: any ?more| any longer| now| at all| so much| very much)*[.!]*$/iu,
];

/** What is done with a thing that is liked: 喝龙井茶 and 龙井茶 are one liking. */
const ACTIVITY =
  /^(?:[吃喝看听玩]|(?:to )?(?:drink(?:ing)?|eat(?:ing)?|watch(?:ing)?|play(?:ing)?|read(?:ing)?|listen(?:ing)? to) )(?=\S)/iu;

/** The liking that a sentence tells of, whether for or against; undefined for any other sentence. */
function toPreferenceKey(sentence: string): string | undefined {
  const plain = sentence.replace(/[’‘]/gu, "'");
  for (const pattern of sentences) {
    const thing = pattern.exec(plain)?.groups?.['thing']?.trim();
    if (thing !== undefined && thing !== '') return `liking of ${toComparableText(thing.replace(ACTIVITY, ''))}`;
  }
  return undefined;
}

/** What else a person has one of at a time, and how it is said. */
const attributes: readonly (readonly [key: string, names: string])[] = [
  ['nickname', 'nick ?names?|昵称|外号'],
  ['gender', 'gender|性别'],
  ['country', 'country|国家'],
  ['preferred language', 'preferred language|首选语言|偏好语言'],
];

const OWNER = "(?:my|(?:the )?user(?:'s)?|我的?|用户的?)?\\s*(?:current |目前的?|现在的?)?";
const IS = '(?:\\s*(?:is|are|=|[:：])|\\s*(?:是|为|叫|改为))';
const byAttribute = attributes.map(
  ([key, names]) => [key, new RegExp(`^${OWNER}\\s*(?:${names})${IS}\\s*\\S`, 'iu')] as const,
);

/** Longer labels are sentences that happen to have a colon. */
const LABEL = /^(?<label>[\p{L}\p{N}][\p{L}\p{N} _'’-]{0,39}?)\s*[:：]\s*\S/u;
/** What is said after the first clause would be lost with it when the next value takes its place. */
const SEVERAL_CLAUSES = /[,，;；。！？!?、]\s*\S|\.\s+\S|\s(?:and|but)\s/iu;
/** What a core fact is at most, in characters, to take another's place. */
const MAX_LENGTH = 500;

/**
 * The attribute that a core fact surely gives a value to; a fact about it takes the place of the one before. Undefined for a fact
 * that stands next to others, such as "I have a cat" or "My job is boring". It is one of a list of attributes that a person has
 * one of, the liking of one thing, or the label before a colon.
 */
export function toCoreKey(content: string): string | undefined {
  if (content.length > MAX_LENGTH) return undefined;
  const text = content.normalize('NFKC').trim();
  if (text.includes('\n') || SEVERAL_CLAUSES.test(text)) return undefined;
  const preference = toPreferenceKey(text);
  if (preference !== undefined) return preference;
  const found = findAttribute(text) ?? findAttribute(`My ${text}`) ?? findAttribute(`我的${text}`);
  if (found !== undefined) return found.key.replaceAll('_', ' ');
  const named = byAttribute.find(([, pattern]) => pattern.test(text));
  if (named !== undefined) return named[0];
  const label = LABEL.exec(text)?.groups?.['label'];
  if (label === undefined || /^(?:https?|\d+)$/iu.test(label)) return undefined;
  return label
    .toLowerCase()
    .replace(/^(?:my|user's|我的|用户的)\s*/u, '')
    .trim();
}

/** What makes a memory of its type useful, read from its text. */
export function toDetails(type: MemoryType, content: string, context: string | undefined): MemoryDetails {
  if (type === 'resource') return findResource(content, context);
  if (type === 'semantic')
    return findConcept(content) ?? (context === undefined ? {} : { concept: context.slice(0, 120) });
  if (type !== 'procedural') return {};
  const found = findSteps(content);
  const steps = found.length === 0 ? splitSteps(content) : found;
  return steps.length === 0 ? {} : { steps };
}

/** When the user reported an event, and the time zone of its days and hours (IANA). */
export interface TimeContext {
  readonly now: Date;
  readonly zone: string;
}

/** When an event happened, ISO 8601 UTC: the first time that its text or context names, counted from `now`; else `now`. */
export function findEventTime(content: string, context: string | undefined, { now, zone }: TimeContext): string {
  const named = [content, context ?? '']
    .map((text) => findInstant(text.slice(0, 2_000), { reference: now, zone }))
    .find((instant) => instant !== undefined);
  return new Date(named ?? now).toISOString();
}
