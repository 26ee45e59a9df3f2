import { anyOf, createPhrases } from './phrases.ts';

/** People and pets that belong to somebody. */
export const KIN =
  anyOf(`mom mum mommy mother dad daddy father parents? brothers? sisters? siblings? sons? daughters? kids?
  child children baby babies toddler wife husband spouse partner fianc[ée]e? girlfriend boyfriend gf bf ex grandm(?:a|other)
  gran(?:ny)? nana grandp(?:a|arents?)? grandfather grand(?:son|daughter|kids?|children) aunt(?:ie)? uncle cousins? nephews?
  nieces? family twins? in-laws (?:mother|father|sister|brother)-in-law step(?:mom|dad|mother|father|son|daughter|brother|sister)
  godmother godfather dogs? cats? pupp(?:y|ies) kittens? kitt(?:y|ies) pups? pets? bunn(?:y|ies) rabbits? hamsters? parrots?
  birds? horses? turtles? goldfish guinea_pigs? best_friends? bestie bff`);

/** People around somebody who are not theirs. */
export const CIRCLE =
  anyOf(`(?:old_|good_|close_)?friends? roommates? neighbou?rs? boss coworkers? co-workers? colleagues? teachers? coach mentor
  classmates? teammates? landlord clients? customers? students? team doctor therapist dentist`);

/** Pets, which one has or gets; unlike `friends`, nobody else has `got` them. */
export const PET =
  anyOf(`dogs? cats? pupp(?:y|ies) kittens? pups? pets? bunn(?:y|ies) rabbits? hamsters? parrots? birds? horses?
  turtles? goldfish guinea_pigs? snakes? lizards?`);

const TIME_UNIT = anyOf(
  'second minute hour day night evening morning afternoon weekend week month year summer winter spring fall autumn',
);
const WEEKDAY = anyOf('monday tuesday wednesday thursday friday saturday sunday mon tues? wed thurs? fri sat sun');
const MONTH =
  anyOf(`january february march april may june july august september october november december jan feb mar apr jun jul
  aug sept? oct nov dec`);

/** Words that say on which day, in which week or year. */
export const DATE = new RegExp(
  String.raw`\b(?:yesterday|tomorrow|tonight|today|the other day|(?:last|next|this|past|coming) (?:few )?(?:${TIME_UNIT}|${WEEKDAY}|${MONTH})s?|(?:\d+|an?|one|two|three|four|five|six|ten|few|couple(?: of)?|several|many) ${TIME_UNIT}s? (?:ago|from now|later)|(?:on|since|until|by|next|last) ${WEEKDAY}|(?:in|on|since|until|by|next|last) ${MONTH}\b|${MONTH} \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}|(?:in|since|of|by) (?:19|20)\d\d|\d{4}-\d\d-\d\d|in (?:a|two|three|\d+) ${TIME_UNIT}s?|for (?:the past )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|a few) (?:year|month)s?)\b`,
  'iu',
);

/** Words that say that something happens again and again. */
export const HABIT = new RegExp(
  String.raw`\b(?:every (?:single |other )?(?:${TIME_UNIT}|${WEEKDAY})|(?:once|twice|\w+ times) a (?:day|week|month|year)|on (?:weekends|weekdays|${WEEKDAY}s)|daily|weekly)\b`,
  'iu',
);

/** Past forms that are not made with -ed; those of saying, thinking and seeming are left out, since they begin no event. */
export const IRREGULAR_PAST =
  anyOf(`went got had bought made took met began ran won lost wrote read built taught caught drove
  flew gave grew came became broke spent slept swam sang drank ate rode hurt fell left sold paid held hung hit dug drew woke wore
  forgot found sent saw did threw put kept led set cut stuck stood sat`);

/** Participles that follow `have` without ending in -ed. */
export const IRREGULAR_PARTICIPLE =
  anyOf(`been gone gotten got bought made taken met begun run won lost written read built taught
  caught driven flown given grown come become broken spent slept swum sung drunk eaten ridden hurt fallen left sold paid held
  seen done had thrown put kept led set cut found forgotten known felt thought heard said told chosen started`);

/** Adverbs that stand inside a verb group and change nothing of its kind. */
export const ADVERB =
  anyOf(`really just also still always already so very actually even only finally both all totally kinda sorta
  usually often sometimes currently definitely absolutely truly simply probably recently lately now soon too quite pretty super
  deeply especially mostly mainly generally honestly literally certainly ever once first then today yesterday seriously mostly
  officially personally obviously basically completely rather sooo+ been's sure kind_of sort_of a_bit a_little of_course gonna`);

/** Occupations and other nouns that say what somebody is. */
export const OCCUPATION =
  anyOf(`accountant actor actress analyst architect artist athlete author baker banker barber barista bartender
  biologist blogger builder butcher carpenter cashier chef chemist coach cook consultant contractor counsell?or dancer dentist designer
  developer director doctor driver economist editor electrician engineer entrepreneur farmer filmmaker firefighter freelancer
  gardener hairdresser historian intern investor journalist judge landscaper lawyer lecturer librarian manager mechanic midwife
  model musician nurse nutritionist officer painter paramedic pharmacist photographer physicist pilot plumber poet policeman
  politician principal producer professor programmer psychologist psychiatrist receptionist reporter researcher sailor
  salesperson scientist screenwriter secretary singer soldier streamer student surgeon surveyor tailor teacher therapist
  technician trainer translator tutor veterinarian vet veteran volunteer waiter waitress writer yoga_instructor instructor
  mother father mom dad parent grandmother grandfather widow(?:er)? only_child orphan christian muslim jew buddhist hindu
  atheist catholic immigrant refugee vegetarian vegan pescatarian introvert extrovert (?:trans(?:gender)?_)?(?:woman|man)
  lesbian bisexual native citizen resident gamer cyclist runner swimmer climber gymnast boxer founder owner (?:fire|police)_?(?:man|woman|fighter|officer)`);

/** Illnesses and conditions that last. */
export const CONDITION =
  anyOf(`diabetes cancer asthma epilepsy arthritis depression anxiety adhd add autism ptsd ocd bipolar insomnia
  migraines? dyslexia dementia alzheimer's parkinson's hypertension hiv lupus crohn's celiac leukemia tumou?r eczema
  \\w*_?allerg(?:y|ies) \\w+_(?:disorder|disease|syndrome) (?:heart|back|kidney|liver|thyroid|stomach|skin|hearing|vision|sleep|(?:mental_)?health)_(?:condition|problems?|issues?) high_blood_pressure chronic_\\w+
  bad_(?:back|knees?|heart) \\w+_intoleran(?:t|ce) panic_attacks?`);

/** Feelings, those that pass and those that weigh. */
export const MILD_FEELING =
  anyOf(`happy glad excited thrilled pumped stoked grateful thankful blessed relieved calm relaxed content
  cheerful hopeful proud inspired motivated amazed surprised nervous worried stressed tired exhausted drained swamped busy sad
  upset down blue angry mad annoyed frustrated disappointed confused bored jealous embarrassed ashamed guilty scared afraid
  homesick nostalgic torn uneasy bummed sick_of hungry cold better good great bad terrible awful lucky accepted curious
  interested keen ready honou?red touched moved`);
export const STRONG_FEELING =
  anyOf(`devastated heartbroken depressed lonely anxious overwhelmed terrified hopeless miserable grieving
  traumatized panicked desperate worthless suicidal ecstatic elated overjoyed over_the_moon burned_out burnt_out burning_out`);

/** What one likes in passing: the thing at hand, the listener's words, an idea just heard. */
const AT_HAND = `(?:${anyOf(`it that this these those you your yours him her them how what when being_here chatting talking
  hearing all_the seeing_(?:you|your|that|this|it) to_(?:hear|see|know|help|chat|talk)
  the_(?:way|idea|sound|thought|look|feeling|colou?rs?|vibe|name|photo|picture|pic|painting|view|design|energy)`)}\\b)`;

/** Writes English phrases: verbs in the forms that stand first in a verb group, `be` for all of its forms. */
export const english = createPhrases(
  {
    a: '(?:an?|the|my|our|his|her|their|another|two|three|four|five|some|\\d+)',
    at_hand: AT_HAND,
    condition: CONDITION,
    described: '(?:[\\w-]+\\s+){0,2}?',
    feeling: MILD_FEELING,
    get: '(?:get|gets|got|getting)',
    have: '(?:have|has|had|having|got)',
    circle: CIRCLE,
    kin: KIN,
    like: '(?:love|like|enjoy|adore|prefer|hate|dislike|detest|despise|cherish)(?:s|d|ed)?',
    my: '(?:my|our|his|her|their)',
    occupation: OCCUPATION,
    past: `(?:${IRREGULAR_PAST}|(?!need|want|seem|look|ask|agree|guess|mention|notice|realiz|remember|like|lov|enjoy|us|appear|suppos)\\w{2,}ed)`,
    pet: PET,
    self: '(?:my|him|her|our|them)(?:self|selves)',
    strong_feeling: STRONG_FEELING,
    to_verb: '(?:to (?!me\\b|you\\b)\\w+)',
    unit: TIME_UNIT,
    word: '[\\w-]+',
  },
  '(?![\\p{L}\\p{N}])',
);
