import { expand, parseEnglish } from './en-grammar.ts';
import { dailyRules } from './en-rules-daily.ts';
import { graveRules } from './en-rules-grave.ts';
import { lastingRules } from './en-rules-lasting.ts';
import type { Language } from './language.ts';
import { anyOf, consistsOf, longestOf } from './phrases.ts';

const PRAISE =
  anyOf(`great good nice cool awesome amazing wonderful fantastic incredible lovely sweet beautiful inspiring exciting
  fun funny hilarious true right perfect interesting impressive adorable cute brilliant terrific sad tough sorry understandable crazy wild
  neat fair bad rough`);
const EXCLAMATION =
  longestOf(`hey(?:_there)? hi(?:_there)? hello(?:_there)? hiya howdy yo wow whoa oh ah aww+ haha+ hehe lol omg thanks(?:_(?:a_(?:lot|ton|bunch|million)|so_much|again))? thank_you(?:_(?:so|very)_much)? thx ty cheers
  bye goodbye congrats congratulations ok okay k yes yeah yep yup sure no nope nah please sorry absolutely definitely totally exactly
  indeed right cool nice great awesome amazing perfect good sweet same agreed sounds_(?:good|great|fun|like_(?:a_(?:plan|blast)|fun))
  of_course no_(?:problem|worries|way) you_are_welcome my_pleasure good_(?:morning|afternoon|evening|night|luck|job)
  well_done (?:great|nice)_job
  (?:good|great|nice|lovely|glad)_to_(?:see|hear|meet|know)(?:_(?:you|that|it|from_you|about_(?:it|that)))?(?:_(?:again|too|all))? take_care see_you(?:_(?:later|soon|then|there|tomorrow|tonight|around|again|(?:on|next|this|in|at)(?:_\\w+)?))? see_ya(?:_\\w+)?
  later talk_(?:to_you_)?(?:soon|later) catch_you_later have_a_\\w+_\\w+ happy_(?:birthday|new_year|holidays) merry_christmas
  i_am_(?:so_)?sorry(?:_to_hear(?:_(?:that|it|about_\\w+(?:_\\w+)?))?|_for_your_loss)? i_(?:agree|see|know|got_it|understand|hear_you|will_be_right_back|have_to_go|had_better_go) got_it no_idea me_too you_too same_here
  long_time_no_see what_is_(?:up|new) how_are_you(?:_\\w+)? keep_(?:it_up|up_the_\\w+_work|me_posted|going) go_for_it
  will_do let_us_go glad_you_\\w+_it i_am_(?:glad|happy)_(?:to_hear_(?:it|that)|for_you) welcome(?:_back)?`);
const VERDICT = `(?:that|it|this|you)(?:\\s(?:is|are|was|sounds?|looks?|must be))?\\s(?:(?:so|really|very|such|an?|pretty|quite|super)\\s){0,3}${PRAISE}(?:\\s(?:idea|news|job|work|one|thing|time|to hear))?`;
/** One greeting, exclamation or verdict, and the marks after it. */
const SMALL_TALK = new RegExp(`^(?:${EXCLAMATION}|${VERDICT})(?![\\p{L}\\p{N}'])[^\\p{L}\\p{N}]*`, 'iu');
/** The name that something is said to: `Hey Ben!`, `Good job, Anna.` */
const ADDRESSEE = /(?<=[a-z]),? [A-Z][a-z]+(?=[.!?,]|$)/gu;
const YES = /^\s*(?:(?:yes|yeah|yep|yup|sure|correct|indeed|exactly)\b|i (?:am|do|did|have|was|can)\s*(?:[.!,]|$))/iu;
/** `Are you …`, `Do you …`, `Did you …`, `Have you …` with the question taken back. */
const QUESTION_TO_YOU = /(?:^|[,.!]\s+|\b(?:and|so)\s+)(are|do|did|have|were|can) you (.+?)\?\s*$/iu;
const AS_STATEMENT: Readonly<Record<string, string>> = {
  are: 'I am',
  do: 'I',
  did: 'I did',
  have: 'I have',
  were: 'I was',
  can: 'I can',
};

function toStatement(question: string): string | undefined {
  const [, verb = '', rest = ''] = QUESTION_TO_YOU.exec(question) ?? [];
  const start = AS_STATEMENT[verb.toLowerCase()];
  return start === undefined ? undefined : `${start} ${rest.replace(/\byour\b/giu, 'my').replace(/\bany\b/giu, 'a')}.`;
}

/** English, as its statements are rated. */
export const englishLanguage: Language = {
  parse: parseEnglish,
  rules: [...graveRules, ...lastingRules, ...dailyRules],
  isSmallTalk: (sentence) => consistsOf(SMALL_TALK, expand(sentence).replace(ADDRESSEE, '')),
  isYes: (text) => YES.test(text),
  toStatement,
};
