import { LANGUAGES } from '@contextloom/contracts';
import { wordsOf } from '@contextloom/languages';

const words = LANGUAGES.map(wordsOf);
/** Our own headings, which stand in brackets in every language, without these. */
const headings = words.map(({ prompt }) => prompt.memories[0].replace(/^\[|\]$/gu, '')).join('|');
const systems = words.map(({ roles }) => roles.system).join('|');
const speakers = words.map(({ roles }) => roles.speakers).join('|');

/** The signs that give a prompt its parts, and what stands for them in a memory: it looks the same and divides nothing. */
const NEUTRAL: readonly (readonly [RegExp, string | ((match: string) => string)])[] = [
  // Our own headings, in brackets or not, and the marks of a fence
  [
    new RegExp(`\\[(${headings}|\\/?(?:system|assistant|inst(?:ructions?)?)[^\\]\\n]{0,40})\\]`, 'giu'),
    (match) => `［${match.slice(1, -1)}］`,
  ],
  [/<<+|>>+/gu, (match) => match.replace(/</gu, '‹').replace(/>/gu, '›')],
  // A rule across the page, which separates the persona from what precedes it
  [/^[ \t>]*(?:[-=_*~─—][ \t]*){3,}$/gmu, '⋯'],
  // Headings and fences of Markdown
  [/^([ \t>]*)#{1,6}(?=[ \t]|$)/gmu, (match) => match.replaceAll('#', '＃')],
  [/```+|~~~+/gu, "'''"],
  // Marks of chat templates and sections written as tags
  [/<\|/gu, '‹¦'],
  [/\|>/gu, '¦›'],
  [
    /<(\/?)(?=(?:system|assistant|user|human|instructions?|developer|tool|function|invoke|memor(?:y|ies)|context|persona|prompt)\b)/giu,
    (match) => match.replace('<', '‹'),
  ],
  // A line that begins as a turn of the system
  [new RegExp(`^([ \\t>*-]*(?:${systems})\\*{0,2} ?)[:：]`, 'gimu'), (match) => `${match.slice(0, -1)}﹕`],
];
/** A line that begins as a turn; in the words of a conversation, which has speakers, it stays. */
const ROLE: readonly [RegExp, (match: string) => string] = [
  new RegExp(`^([ \\t>*-]*(?:${speakers})\\*{0,2} ?)[:：]`, 'gimu'),
  (match) => `${match.slice(0, -1)}﹕`,
];

/** Neutralises markup that imitates the parts of a prompt: headings, separators, roles, tags. Everything else stays. */
export function neutralise(text: string, { hasSpeakers = false }: { readonly hasSpeakers?: boolean } = {}): string {
  const rules = hasSpeakers ? NEUTRAL : [...NEUTRAL, ROLE];
  return rules.reduce(
    (rest, [pattern, plain]) =>
      typeof plain === 'string' ? rest.replace(pattern, plain) : rest.replace(pattern, plain),
    text,
  );
}
