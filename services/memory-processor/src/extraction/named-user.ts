import { detectMainLanguage } from '@contextloom/languages';
import { inAnyLanguage, readingWordsOf } from '@contextloom/languages/reading';
import type { ExtractionContext, MemoryOwner } from '../domain/extractor.ts';
import type { EpisodeWindow } from '../domain/windows/episodes.ts';

/** How exports call the person who speaks with an assistant, when they tell no name. */
const NAMELESS = new RegExp(`^(?:${inAnyLanguage(({ user }) => user.speaker)})$`, 'iu');
/** How a model calls them all the same. */
const SUBJECT = new RegExp(`^\\s*(?:${inAnyLanguage(({ user }) => user.subject)})`, 'iu');
/** Parts of ids that are letters and no names. */
const NO_NAMES =
  /^(?:users?|me|my|human|person|people|somebody|nobody|unknown|anon|anonymous|guest|admin|root|owner|account|acct|customer|client|member|default|test|tester|testing|demo|dev|local|app|bot|agent|assistant|system|chat|main|id|uid|用户|我|默认|测试|访客|管理员|主人)$/iu;
/** Letters and Latin vowels, since ids are often made of consonants or hexadecimal digits. */
const LATIN_NAME = /^(?=.*[aeiouyà-ÿ])[\p{Script=Latin}'’]{2,20}$/iu;
const OTHER_NAME = /^(?!.*\p{Script=Latin})\p{L}{2,20}$/u;

/** The name that a user id reads like, such as "Ann Smith" of `ann.smith@example.org`; undefined where it reads like none. */
export function toNameOfId(id: string): string | undefined {
  const parts = (id.slice(0, 100).split('@')[0] ?? '').split(/[._\-\s]+/u);
  const areNames = parts.every((part) => !NO_NAMES.test(part) && (LATIN_NAME.test(part) || OTHER_NAME.test(part)));
  if (parts.length > 3 || !areNames) return undefined;
  return parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`).join(' ');
}

/** Whether another speaker has the name, or begins with it: then it may be that person's and not the user's. */
function isTaken(name: string, speakers: readonly string[]): boolean {
  const [own = ''] = name.toLowerCase().split(' ');
  return speakers.some((speaker) => speaker.toLowerCase().split(' ')[0] === own);
}

/** What a person who speaks as `user` alone is called: as the call says, else the settings, else the user id, else the language. */
function toUserName(
  { name, id }: MemoryOwner,
  setting: string | undefined,
  { turns }: EpisodeWindow,
  speakers: readonly string[],
): string {
  const given = name ?? setting;
  if (given !== undefined) return given;
  const ofId = id === undefined ? undefined : toNameOfId(id);
  if (ofId !== undefined && !isTaken(ofId, speakers)) return ofId;
  return readingWordsOf(detectMainLanguage(turns.map(({ text }) => text).join('\n'))).unnamed;
}

function withName(window: EpisodeWindow, name: string): EpisodeWindow {
  const turns = window.turns.map((turn) => (NAMELESS.test(turn.speaker) ? { ...turn, speaker: name } : turn));
  return { ...window, turns };
}

/** A window and what surrounds it as a model is shown them. */
export interface Named {
  readonly window: EpisodeWindow;
  readonly context: ExtractionContext;
  /** What was written of the window, where it begins with "user" all the same, with the name. */
  readonly toText: (content: string) => string;
}

/** Names somebody who speaks as `user` alone. */
export function toNamed(window: EpisodeWindow, context: ExtractionContext, setting: string | undefined): Named {
  const { previous, user = {} } = context;
  const others = context.speakers.filter((speaker) => !NAMELESS.test(speaker));
  if (others.length === context.speakers.length) return { window, context, toText: (content) => content };
  const name = toUserName(user, setting, window, others);
  const speakers = context.speakers.map((speaker) => (NAMELESS.test(speaker) ? name : speaker));
  return {
    window: withName(window, name),
    context: { ...context, speakers, previous: previous === undefined ? undefined : withName(previous, name) },
    toText: (content) => content.replace(SUBJECT, () => name),
  };
}
