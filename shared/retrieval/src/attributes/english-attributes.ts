import { type Attribute, onlySame, type ReadValue } from './attribute.ts';
import * as english from './english-values.ts';
import * as exact from './exact-values.ts';

/** Sentences about one attribute: what begins them, after the words for now, and what follows. */
const begin = (key: string, opening: string, read: ReadValue): Attribute => ({
  key,
  read,
  opening: new RegExp(`^(?:(?:now|currently|at the moment|these days),? )?(?:${opening}) `, 'iu'),
});

/** "My city is", "My city: ". */
const my = (key: string, names: string, read: ReadValue): Attribute =>
  begin(key, `my (?:current )?(?:${names})(?: is(?: now)?|'s|:)`, read);

const NOW = '(?: (?:now|currently|still))?';

/** What English sentences say of the user. */
export const englishAttributes: readonly Attribute[] = [
  my('name', '(?:full )?name', english.readName),
  begin('name', "i am called|i'm called", english.readName),
  begin('city', `i${NOW} live(?: at the moment)? in|i(?:'m| am)${NOW} (?:living|based) in`, english.readHome),
  begin('city', "i(?:'ve| have)?(?: just| recently)? (?:moved|relocated) to", english.readGoal),
  begin('city', "i(?:'ve| have) (?:lived|been living) in", english.readHomeSince),
  my('city', 'city', english.readTown),
  my('hometown', 'home ?town', onlySame(english.readTown)),
  begin('hometown', "i grew up in|i(?:'m| am) originally from", onlySame(english.readTown)),
  my('address', '(?:home )?address', exact.readAddress),
  begin('job', `i${NOW} work as|i(?:'m| am)${NOW} working as|i(?:'ve| have) been working as`, english.readWork),
  my('job', 'job|job title|occupation|profession', english.readWork),
  begin('job', "i(?:'m| am)", english.readBeing),
  begin('job', 'i (?:make|earn) my living as', english.readWork),
  begin(
    'employer',
    `i${NOW} work (?:at|for)|i(?:'ve| have)? started working (?:at|for)|i(?:'m| am)${NOW} employed (?:at|by)`,
    english.readEmployer,
  ),
  my('employer', 'employer|company', english.readEmployer),
  begin('birthday', 'i was born', english.readBirthday),
  my('birthday', 'birthday|date of birth', english.readBirthday),
  my('age', 'age', english.readAge),
  begin('age', "i(?:'m| am)", english.readAgeOfMe),
  begin('age', "i(?:'ve| have)? just turned", english.readAge),
  begin('age', 'i turned', english.readTurned),
  my('email', 'e-?mail(?: address)?', exact.readEmail),
  my('phone', '(?:mobile |cell )?(?:phone|phone number|mobile|mobile number|telephone number)', exact.readPhone),
  begin('pronouns', 'my pronouns are|my pronouns:', exact.readPronouns),
  begin('pronouns', 'i (?:use|go by)(?= [a-z/]+ pronouns$)', exact.readPronounsBefore),
  my('native_language', 'native language|mother tongue|first language', english.readLanguage),
  begin('native_language', "i(?:'m| am) a native speaker of", english.readLanguage),
  my('time_zone', 'time ?zone', exact.readTimeZone),
  my('favourite_colour', 'favou?rite colou?r', english.readColour),
  my('favourite_season', 'favou?rite season', english.readSeason),
  my('favourite_book', 'favou?rite book', english.readTitle),
  my('favourite_film', 'favou?rite (?:film|movie)', english.readTitle),
  my('favourite_song', 'favou?rite song', english.readTitle),
  my('favourite_food', 'favou?rite food', english.readThings),
  my('favourite_animal', 'favou?rite animal', english.readThings),
];
