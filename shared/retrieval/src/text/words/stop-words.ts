/**
 * English function words, spelled as the tokeniser leaves them: lower case, no apostrophes (`dont`, and `youre` for those
 * who type it so). `ill`, `us`, `may` and `will` are missing on purpose: they are also a state, a country, a month, a name.
 */
const englishWords = `
  a about above after again against all am an and any are arent as at be because been before being below between both
  but by can cant could couldnt did didnt do does doesnt doing dont down during each few for from further had hadnt
  has hasnt have havent having he her here hers herself hes him himself his how i if im in into is isnt it itll its
  itself ive just lets me more most my myself no nor not of off on once only or other our ours ourselves out over own
  same she should shouldnt so some such than that thats the their theirs them themselves then there theres these they
  theyll theyre theyve this those through to too under until up very was wasnt we were werent weve what whats when
  where which while who whom why with wont would wouldnt you youd youll your youre yours yourself yourselves youve`;

const english = new Set(englishWords.trim().split(/\s+/));

/** Chinese particles, pronouns and other function characters; content words that contain one keep their bigram. */
const chinese = new Set('的了着吗呢吧啊呀嘛啦哦嗯么是在我你您他她它们这那也就都和与很');

/** Whether a lower-cased English word, its apostrophes removed, carries grammar rather than content. */
export function isStopWord(word: string): boolean {
  return english.has(word);
}

/** Whether a single Chinese character carries grammar rather than content. */
export function isStopCharacter(character: string): boolean {
  return chinese.has(character);
}
