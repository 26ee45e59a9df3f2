import { toComparableText } from '@contextloom/retrieval';

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
export function toPreferenceKey(sentence: string): string | undefined {
  const plain = sentence.replace(/[’‘]/gu, "'");
  for (const pattern of sentences) {
    const thing = pattern.exec(plain)?.groups?.['thing']?.trim();
    if (thing !== undefined && thing !== '') return `liking of ${toComparableText(thing.replace(ACTIVITY, ''))}`;
  }
  return undefined;
}
