import { findAttribute } from '@contextloom/retrieval/attributes';
import { toPreferenceKey } from './preference.ts';

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
