import { english } from './en-words.ts';
import { anchor, type Rule } from './rule.ts';

const plan: readonly Rule[] = [
  {
    kind: 'plan',
    importance: anchor.goal,
    said: english(
      '(want|wants|wanted|hope|hopes|be hoping|plan|plans|be planning|dream|be dreaming|decided|be going) (of |on )?(to (be|become)|becoming|being) (an?|the|my)\\b…',
      '(want|wants|hope|hopes|be hoping|plan|plans|be planning|decided|be going) to (adopt|start|open|launch|move|study|learn|write|publish|have (kids|children|a (baby|family))|buy a|build|quit|retire|get (married|a (dog|cat|degree))|apply|volunteer|help)',
      '(adopt|start|open|launch|become|publish)\\b(?! (with|to|by|up|from)\\b)…',
      '(my|our) ({word} )?(goal|dream|ambition|aim|plan|plans|resolution|target) …',
      '(dream|dreams|dreamed|be dreaming) of',
      'be saving( up)? for',
      '(be )?(applying|applied|apply) (to|for)',
      '(be )?(training|preparing|practicing|studying) for',
      '(be )?(working|started working|worked) on {a} ({word} )*?(book|novel|project|screenplay|script|app|game|album|paper|business|series|story)',
      '(be )?looking into (adoption|{word}ing)',
      'keen on {word}ing',
    ),
    unless: /^(?:start|open) (?:with|to|up)|^(?:want|hope|plan|be going) to (?:help|learn|start) (?:you|me)\b/u,
  },
  {
    kind: 'plan',
    importance: anchor.ordinary,
    datable: true,
    said: english(
      '(plan|plans|planned|be planning|be going|intend|intends|decided|signed up|be about|be hoping|hope|hopes|want|wants|be trying|be looking|be excited) (to|on|for)\\b…',
      'be (thinking|considering|planning) (of|about|on)?…',
      '(can not wait|be looking forward|look forward) (to|for)…',
      '(signed|be signing|registered|be registered|enrolled|auditioned|booked|scheduled|be scheduled|be supposed)\\b…',
      'be (going|flying|driving|visiting|leaving|hosting|throwing|heading|taking|meeting)\\b(?! (on|well|great|good|crazy|to be)\\b)…',
      '{have} (an?|my|our|two|three|\\d+) {described}(appointment|interview|exam|test|meeting|flight|trip|date|deadline|competition|tournament|recital|concert|show|game|match|race|performance|presentation|conference|wedding|party|audition|surgery|reunion|event|gig)',
    ),
    unless:
      /^(?:want|hope|be going|plan|be trying|be about) to (?:bed|sleep|say|tell you|ask|know|thank|chat|talk to you|hear)\b|^hope (?:to see you|you|it|that|your|all)\b/u,
    denied: anchor.feeling,
  },
  {
    kind: 'plan',
    importance: anchor.ordinary,
    datable: true,
    tense: ['future'],
    said: english('…'),
    unless:
      /^(?:be|see|talk|chat|let|think|say|tell|keep|try|do|check|give|take a look|get back|definitely|have to|text|call you|miss|never|remember|look|catch)\b/u,
    denied: anchor.feeling,
  },
  {
    kind: 'plan',
    importance: anchor.dated,
    tense: ['present'],
    only: 'dated',
    said: english('be \\w+ing'),
    unless: /^be (?:doing|feeling|having|being|thinking|wondering|talking|looking|going (?:well|great|on))\b/u,
  },
  {
    kind: 'plan',
    importance: anchor.feeling,
    tense: ['would'],
    said: english('(love|like) to (?!{at_hand})…'),
  },
];

/** `I can't wait for the concert`: what is denied is the waiting. */
const longing: Rule = {
  kind: 'plan',
  importance: anchor.passing,
  said: english('wait (for|to (?!(hear|see|know|find|tell|catch)\\b))…'),
  denied: anchor.ordinary,
};

const event: readonly Rule[] = [
  {
    kind: 'event',
    importance: anchor.ordinary,
    said: english(
      'be (reading|watching|researching|developing|designing|revising|filming|making|creating|building|planting|exploring|attending|taking)…',
    ),
    unless: /^be (?:making|taking) (?:it|sure|sense|me|care|a look)/u,
  },
  {
    kind: 'event',
    importance: anchor.dated,
    datable: true,
    said: english(
      '(won|finished|completed|achieved|passed|failed|joined|launched|published|released|performed|competed|volunteered|founded|organi[sz]ed|hosted|attended|visited|travell?ed|hiked|climbed|celebrated|donated|started|ended|discovered|created|built|painted|made|wrote|bought|sold|received|met|adopted|ran|signed up|opened|joined|took up|sang|recorded|earned|scored|presented) (an?|the|my|our|his|her|their|first)\\b(?! (lot|bit|while|few|break|look|nap|point|moment|photo|pic|picture)\\b)…',
    ),
    unless: /^made (?:a|my|the|our) (?:day|point|difference|move|mess)|^(?:met|made|took) (?:a|the) (?:lot)/u,
  },
  {
    kind: 'event',
    importance: anchor.ordinary,
    datable: true,
    tense: ['past'],
    said: english('{past}…'),
    unless:
      /^(?:had (?:to|no|fun|a (?:great|good|nice|lot|blast|feeling))|got (?:it|you|to|this|that|so)|felt|meant|made (?:sense|it|me|my day)|(?:agreed|supposed|allowed|based|used|called)\b|moved? to the (?:next|other)|be\b)/u,
  },
  {
    kind: 'event',
    importance: anchor.ordinary,
    datable: true,
    tense: ['past'],
    said: english('be (at|in|on|part of|invited|chosen|selected|asked|able|offered|hired|given|working|out|away)…'),
    unless: /^be (?:in (?:my|the) (?:mind|mood)|on (?:my|the) (?:way|fence)|at (?:it|home|all))/u,
  },
];

const habit: readonly Rule[] = [
  { kind: 'identity', importance: anchor.dated, only: 'habit', tense: ['present'], said: english('…') },
  {
    kind: 'event',
    importance: anchor.dated,
    of: ['thing'],
    said: english('be (my|our) {described}(birthday|anniversary|graduation|wedding day|first day|last day)'),
  },
];

const feeling: readonly Rule[] = [
  {
    kind: 'feeling',
    importance: anchor.dated,
    said: english(
      '(be|feel|feels|felt|be feeling|got|became) (({word} ){0,2}?){strong_feeling}',
      'miss(es|ed)? ((my|our|his|her) ({word} )?({kin}|{circle})|home|him|her|them)',
      '(be|feel|felt) ({word} )?proud (of|to)',
      'be (going through|having|had) {described}(rough|tough|hard|difficult|stressful)',
      '(be|feel) (lost|stuck|alone|like (a failure|giving up))',
    ),
    unless: /^be (?:going through|having|had) (?:a )?(?:great|good)/u,
    denied: anchor.feeling,
  },
  {
    kind: 'feeling',
    importance: anchor.feeling,
    said: english('(be|feel|feels|felt|be feeling|got|get) (({word} ){0,2}?){feeling}'),
    denied: anchor.feeling,
  },
];

const figure: readonly Rule[] = [
  {
    kind: 'figure',
    importance: anchor.ordinary,
    of: ['self', 'kin', 'named', 'thing'],
    said: english(
      '.*\\b(\\d{3,}|\\d+([.,:/]\\d+)+)',
      '.*\\b(\\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|a couple( of)?|several) (({word} )?)(times|people|kids|children|dogs|cats|books|hours|years?|months|weeks|days|miles|km|pounds|kg|dollars|bucks|points|goals|letters|percent|turtles)',
    ),
  },
];

/** English statements about days: plans, events, feelings, numbers. */
export const dailyRules: readonly Rule[] = [...plan, longing, ...event, ...habit, ...feeling, ...figure];
