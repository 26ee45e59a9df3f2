import type { PeopleWords } from '../people-words.ts';

/** What is before somebody who is not there, or in a story: I have no brother called Paul. */
const NO_SUCH =
  "(?<!(?:n['’]t|\\b(?:not|never|no|if|wish|would|imagine|about|book|novel|film|movie|story|series|show|character|game|song|reading|watch|watched|watching))\\b[^.!?\\n]{0,40})";

/** How English names people. */
export const people: PeopleWords = {
  relations: {
    son: 'sons?|stepsons?',
    daughter: 'daughters?|stepdaughters?',
    child: 'child|children|kids?|bab(?:y|ies)|toddlers?',
    mother: 'mother|mum|mom|mama|stepmother|stepmum|stepmom',
    father: 'father|dad|papa|stepfather|stepdad',
    sister: 'sisters?|stepsisters?|half-sisters?|sister-in-law',
    brother: 'brothers?|stepbrothers?|half-brothers?|brother-in-law',
    wife: 'wife|ex-wife',
    husband: 'husband|ex-husband',
    partner: 'partner|girlfriend|boyfriend|fiancée?|ex',
    friend: 'friends?|buddy|buddies|pals?|mates?|flatmates?|roommates?|housemates?|classmates?',
    colleague: 'colleagues?|coworkers?|co-workers?|teammates?|boss|manager',
    person:
      'someone|somebody|person|guys?|man|woman|lady|coach|trainer|therapist|teacher|tutor|mentor|landlord|landlady|doctor|dentist|lawyer|nanny|babysitter',
    neighbour: 'neighbou?rs?',
    relative:
      'aunts?|aunties?|uncles?|cousins?|nephews?|nieces?|grandsons?|granddaughters?|grandmother|grandfather|gran|grandma|grandpa|mother-in-law|father-in-law',
    pet: 'pets?|cats?|dogs?|pupp(?:y|ies)|pups?|kittens?|rabbits?|bunn(?:y|ies)|horses?|pon(?:y|ies)|parrots?|hamsters?|guinea pigs?|turtles?|tortoises?',
  },
  name: "(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\\.? )?\\p{Lu}(?:['’]\\p{Lu})?\\p{Ll}{1,20}(?:-\\p{Lu}\\p{Ll}{1,20})?",
  noNames:
    'Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?|Christmas|Easter|English|French|German|Spanish|Italian|Chinese|Japanese|American|British|January|February|March|July|September|October|November|December|Mr|Mrs|Ms|Miss|Dr|Prof|God|Never|Always|Not|And|But|The|This|That|Then|When|What|Who|Why|How|She|He|They|We|You|It|Is|Was|Are|If|So|Just|Also|Thanks|Yes|No|Oh|Hey|Hi|Google|Coffee|Music|Instagram|Facebook|Netflix|Amazon',
  speakers:
    'speaker|unknown|guest|host|customer|client|agent|caller|participant|interviewer|interviewee|moderator|doctor|patient|teacher|student|narrator|anonymous|someone|everyone|group|channel|bot|admin|support|owner',
  sentences: [
    // my sister Ros, my best friend Ann, my son is called Kit, my dogs Max and Bella, my kids are Tom and Ann
    '\\b(?:[Mm]y|[Oo]ur) (?:[a-z-]{1,20} ){0,2}{relation}(?:(?: (?:is|was|are|were))? (?:called|named))? {name}(?:,? (?:and|&) {second})?',
    '\\b(?:[Mm]y|[Oo]ur) (?:[a-z-]{1,20} ){0,2}{relation} (?:are|were) {name},? (?:and|&) {second}',
    "\\b(?:[Mm]y|[Oo]ur) (?:[a-z-]{1,20} ){0,2}{relation}(?:['’]s|['’])? names? (?:is|was|are) {name}(?:,? (?:and|&) {second})?",
    // my sister, Ros, and my son (Kit)
    '\\b(?:[Mm]y|[Oo]ur) (?:[a-z-]{1,20} ){0,2}{relation}(?:, | \\(){aside}(?=[,.!?;)]|$)',
    // Ros, my sister; Ros is my sister
    '{name}, my (?:[a-z-]{1,20} ){0,2}{relation}(?=[,.;!?)]|$| and )',
    '{name}(?: is|,? who is| was|,? who was) my (?:[a-z-]{1,20} ){0,2}{relation}(?=[\\s,.;!)]|$)',
    // we've got a cat called Pylon, somebody named Ann
    `${NO_SUCH}\\b(?:(?:an?|the|this|two|three|our|another) (?:[a-z-]{1,20} ){0,2})?{relation},? (?:called|named) {name}(?:,? (?:and|&) {second})?`,
    // I got a puppy two weeks ago! Her name's Coco
    "\\b(?:[Mm]y|[Oo]ur|an?|another) (?:[a-z-]{1,20} ){0,2}{relation}\\b[^\\n]{0,80}?\\b(?:[Hh]er|[Hh]is|[Ii]ts|[Tt]heir) names?(?:['’]s| is| are) {name}(?:,? (?:and|&) {second})?",
  ],
  // Mr and Mrs So-and-so may as well be out of a book.
  spokenOf: [],
  spokenTo: [
    "\\b(?:[Mm]y name(?:['’]s| is)|[Cc]all me|I['’]m|I am) {name}",
    '\\b(?:Hi|Hey|Hello|[Tt]hanks|[Tt]hank you|[Gg]ood ?(?:night|morning|evening)|Evening|Morning),? {name}(?=[,.!?]|$)',
  ],
};
