import { english } from './en-words.ts';
import { anchor, type Rule } from './rule.ts';

const grave: readonly Rule[] = [
  {
    kind: 'safety',
    importance: anchor.life,
    said: english(
      '(want(s|ed)? to|be going to|tr(y|ies|ied) to) (die|hurt {self}|kill {self}|end (my life|it all))',
      '(think|thinking|thought|be thinking) (of|about) (dying|suicide|ending (my life|it all)|killing {self}|hurting {self})',
      '{have} (suicidal )?thoughts (of|about) (suicide|dying|ending)',
      'be suicidal',
      '(self-harm|cut {self}|cutting {self})',
      '(be|got) (being )?(abused|stalked|assaulted|raped|attacked|threatened|robbed|mugged|beaten|stabbed)',
      '(hit|hits|beat|beats|threatened|threatens|stalks|abused|abuses) me',
    ),
    unless: /laugh|embarrass|boredom|dying to|me up/u,
    denied: anchor.dated,
  },
  {
    kind: 'life',
    importance: anchor.life,
    said: english(
      'pass(ed)? away',
      'died',
      'be (dead|dying|killed)',
      '(be )?{get} (married|divorced|separated|widowed|engaged(?! (in|with) (?!(january|february|march|april|may|june|july|august|september|october|november|december|d))))',
      '(marry|married|marrying) (my|him|her|the love)',
      'propose[sd]? to {word}',
      '(split|broke|break|breaking) up with',
      'be (pregnant|expecting$|expecting (a|our|my|her) (\\w+ )?(baby|child|boy|girl|son|daughter|twins))',
      '{have} (a|an|our|my|her|their|his|another) ({word} )?(baby|miscarriage)',
      'gave birth',
      'adopt(ed|ing)? (a|an|our|two) ({word} )?(baby|child|kid|son|daughter|boy|girl)',
      'lost {my} (job|home|house|{kin})',
      '(be|{get}) (laid off|fired|evicted|deported|arrested)',
      '(be|got) in(to)? an? ({word} )?(accident|crash)',
      '(retire|retired|be retiring)',
      'came out (as|to) {word}',
      'transition(ed|ing)',
    ),
    unless:
      /\b(?:phone|battery|laptop|computer|car|signal|internet|plant|joke)\b|dead (?:tired|serious|sure|on|end)|dying (?:to|of|for|laughing)/u,
  },
  {
    kind: 'life',
    importance: anchor.grave,
    said: english(
      '(quit|left|lost) {my} ({word} )?(job|career|company)',
      'open(ed|ing) (up )?(my|our|a|an|his|her) (own )?{described}(business|store|shop|studio|restaurant|cafe|company)',
      'be (opening|starting) (up )?(my|our|a|an|his|her) (own )?{described}(business|store|shop|studio|restaurant|cafe|company|family)',
      'start(ed|ing)? (my|our|a|an|his|her) (own )?{described}(business|store|company|family|foundation|charity|non-?profit)',
      '(moved|be moving|moving) (in with|out of|abroad|back|away|here|to (a new {described}(city|country|house|home|apartment|place|state)|(?!the )[a-z]+))',
      '(immigrated|emigrated)',
      '(bought|be buying) (a|an|our|my) {described}(house|home|apartment|condo|flat)',
      'graduated',
      'got (into|accepted (to|into)) {described}(college|university|school|program|harvard|[a-z]+ university)',
      'got (promoted|hired)',
      'got (a|an|the|my) {described}(job|promotion|offer|role)',
      'be (diagnosed|in (the )?(hospital|coma|rehab|icu))',
    ),
    unless: /to the (?:next|other|side)|move to (?:tears|music)/u,
  },
];

const health: readonly Rule[] = [
  {
    kind: 'health',
    importance: anchor.grave,
    said: english(
      'be ((severely|deathly|highly) )?allergic to',
      'be diagnosed',
      '{have} ((an?|my|severe|some|bad|type \\d|mild|chronic) )*{condition}',
      '(be living|live|lives) with {described}{condition}',
      '(suffers?|suffered|be suffering|recovered|be recovering) from {described}{word}',
      '(struggles?|struggled|be struggling|be battling|battled) (with )?{described}{condition}',
      '(put|prescribed) me (on )?{word}',
      '(take|takes|be taking|be on|went on|started) {described}(medication|meds|medicine|antidepressants?|insulin|statins|pills)',
      'be ((a|an|recovering) )*(alcoholic|addict|diabetic|autistic|epileptic|deaf|blind|disabled)',
      '(be|got|be rushed|taken) (in|to) (the )?(hospital|icu|er)',
      'be hospitali[sz]ed',
      '{have} {described}(surgery|operation|transplant|stroke|heart attack|c-section|seizures?)',
    ),
    unless: /allergic to (?:mondays?|work|drama|exercise|mornings)/u,
    denied: anchor.ordinary,
  },
  {
    kind: 'health',
    importance: anchor.lasting,
    said: english(
      '(broke|sprained|fractured|tore|injured|hurt|dislocated|twisted) {my} ({word} )?(arm|leg|ankle|wrist|foot|knee|back|shoulder|hip|hand|finger|rib|neck|toe|acl)s?',
      'hurt {self}',
      '(be|got) (hurt|injured)',
      'be ((a|an) )?(vegan|vegetarian|pescatarian|lactose[- ]intolerant|gluten[- ](free|intolerant)|sober|nearsighted|color-?blind)',
      '(be )?(see|sees|saw|seeing|visited) (a|my|the|his|her) (doctor|therapist|counsell?or|psychiatrist|specialist|cardiologist)',
      '(be in|go to|goes to|went to|be going to|start(ed)?) therapy',
      '(quit|quits|stopped|gave up|be quitting) (smoking|drinking|vaping|alcohol|sugar|caffeine)',
    ),
    denied: anchor.lasting,
  },
  {
    kind: 'preference',
    importance: anchor.ordinary,
    said: english(
      '(eat|eats|drink|drinks|smoke|smokes|have) ({word} )?(meat|dairy|gluten|pork|beef|alcohol|seafood|shellfish|nuts|sugar|caffeine|milk|eggs|fish)',
    ),
    denied: anchor.lasting,
  },
  {
    kind: 'health',
    importance: anchor.ordinary,
    said: english(
      '{have} ((a|an|the|some|bad) )*({word} )?(cold|flu|fever|headache|cough|stomach ?ache|toothache|sore throat|food poisoning)',
      '(caught|be coming down with|came down with) {described}(cold|flu|fever|bug)',
      '(be|feel|felt|got) (sick|ill|unwell|under the weather|dizzy)(?! (of|and tired))',
      'threw up',
      '{have} {described}(trouble|difficulty) (sleeping|breathing)',
    ),
    datable: true,
  },
];

/** English statements about what endangers a life, what changes it, and health. */
export const graveRules: readonly Rule[] = [...grave, ...health];
