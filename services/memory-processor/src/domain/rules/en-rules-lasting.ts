import { english } from './en-words.ts';
import { anchor, type Rule } from './rule.ts';

const preference: readonly Rule[] = [
  {
    kind: 'preference',
    importance: anchor.lasting,
    tense: ['present'],
    said: english(
      '{like} (?!{at_hand})…',
      'be (((a|an|the|my|big|huge|total|real|massive|lifelong|avid) )*)(fan|lover) of',
      'be (addicted to|into|obsessed with|passionate about|crazy about|keen on|fond of|hooked on|a sucker for) (?!{at_hand})…',
      'be an? (morning|night|cat|dog|coffee|tea|beach|people|outdoors) person',
      '{have} an? ({word} )?(thing for|passion|soft spot|sweet tooth|weakness)',
      'my ((all-time|absolute) )?favou?rites?',
      'be (afraid|scared|terrified) of (?!{at_hand})…',
    ),
    unless: /^likes? (?:i|you) said|^be (?:\w+ )?into (?:it|that|this)/u,
    denied: anchor.lasting,
  },
  {
    kind: 'preference',
    importance: anchor.lasting,
    of: ['thing'],
    said: english('(({word} ){0,3})be my ({word} )?(favou?rites?|passion|go-to|happy place|hobby|dream|calling|fear)'),
  },
  {
    kind: 'preference',
    importance: anchor.dated,
    of: ['thing'],
    said: english('(({word} ){0,3})(helps?|makes?|lets?|brings?|keeps?) me\\b…'),
  },
  {
    kind: 'preference',
    importance: anchor.dated,
    said: english('used to {word}', '(loved|hated|enjoyed|adored) (?!{at_hand})…'),
  },
  {
    kind: 'preference',
    importance: anchor.feeling,
    said: english('(stand|live without|resist|get enough of) (?!{at_hand})…'),
    unless: /^stand (?:up|by|for|out|with|on|in)\b/u,
    denied: anchor.lasting,
  },
  { kind: 'preference', importance: anchor.feeling, said: english('{like} {at_hand}'), denied: anchor.feeling },
];

const relation: readonly Rule[] = [
  {
    kind: 'relation',
    importance: anchor.lasting,
    tense: ['present', 'past'],
    said: english(
      '{have} (no|any|{a}) {described}{kin}',
      '(got|adopted|rescued|raised|bought|be getting|be adopting) {a} {described}{pet}',
      'be (married|engaged|divorced|widowed|single|in a relationship|dating)',
      'be seeing (someone|somebody|a (guy|girl|man|woman))',
      'be (({word} )?friends|together|dating|married) (with|for|since)',
      '(met|lost) {my} ({word} )?(wife|husband|partner|boyfriend|girlfriend|fianc[ée]e?|best friend)',
      'be {my} ({word} )?{kin}',
      '(be )?raised by',
      'grew up with',
      'fell in love',
    ),
    denied: anchor.lasting,
  },
  {
    kind: 'relation',
    importance: anchor.goal,
    of: ['kin'],
    said: english(
      "('s name )?(be|has|have|lives?|works?|loves?|likes?|hates?|plays?|goes|studies|turn(s|ed)|turning)…",
    ),
    unless:
      /^be (?:\w+ )?(?:great|good|nice|fun|amazing|awesome|sweet|cute|adorable|ok|okay|fine|here|there|coming|waiting|so)\b/u,
  },
  {
    kind: 'relation',
    importance: anchor.dated,
    said: english('{have} (no|any|{a}) {described}{circle}(?! (appointment|visit))', 'be {my} ({word} )?{circle}'),
  },
  { kind: 'relation', importance: anchor.goal, of: ['thing'], said: english("names? (is|are|'s)…") },
  {
    kind: 'relation',
    importance: anchor.lasting,
    of: ['self'],
    said: english("{my} {described}{kin}('s|s)? names? (is|are)"),
  },
];

const identity: readonly Rule[] = [
  {
    kind: 'identity',
    importance: anchor.lasting,
    said: english(
      "my ({word} )?(full |first |last |middle |nick)?name (is|'s)",
      '(my|our) ({word} )?(birthday|anniversary|hometown|native language|phone number|number|address|e-?mail|religion|blood type|pronouns)',
      '(be|call me) \\d+ years old',
      'identify as',
      'be (born|raised|based|named)…',
      '(turned|be turning) \\d+',
      'grew up (in|on|near|around)',
      '(be|come|comes|came) (originally )?from (?!(work|the (gym|store|doctor|office)|a|an|home|it|this|that|me|you)\\b)…',
      '(live|lives|be living) (in|near|at|with|on|alone|together)',
      'be (american|canadian|mexican|chinese|japanese|indian|korean|british|english|irish|scottish|french|german|italian|spanish|swedish|dutch|polish|russian|brazilian|australian|african|asian|latina|latino|hispanic|jewish|muslim|christian|catholic|buddhist|hindu|gay|lesbian|bi|bisexual|queer|trans(gender)?|non-?binary)',
    ),
    unless: /^be born (?:to|for)\b|^(?:live|lives|be living) (?:in|on) (?:the moment|the edge|fear|hope)/u,
  },
  {
    kind: 'identity',
    importance: anchor.goal,
    said: english(
      'be (an?|the) {described}{occupation}',
      '(work|works|worked|be working) (({word} ){0,2}?)(as|at|for|in|part-?time|full-?time|remotely|from home)',
      '(study|studies|studied|be studying|major|majors|majored|be majoring|minor) (in|at|for)?…',
      'my (job|major|degree|career|work|business|company|school|college|goal|dream|plan|passion|hobby|hobbies|motto) …',
      '(speak|speaks|be learning|learn|learned|learning) (to )?(english|spanish|french|german|italian|chinese|mandarin|cantonese|japanese|korean|russian|arabic|portuguese|hindi|\\w+ languages?|sign language)',
      '(run|runs|own|owns|founded|manage|manages|teach|teaches|coach|coaches) (a|an|my|our|his|her|the)\\b…',
      '(play|plays|be playing|played) (the )?({word} )?(guitar|piano|violin|drums|cello|flute|clarinet|sax(ophone)?|bass|ukulele|harmonica|basketball|football|soccer|tennis|baseball|volleyball|badminton|golf|hockey|chess|video games|games|rugby|cricket)',
      'be (good|great|bad|terrible|talented|skilled|best) at (?!{at_hand})…',
      '(know|knows|learned) how to',
      '(do|does|practice|practices|paint|paints|write|writes|collect|collects|bake|bakes|cook|cooks|volunteer|volunteers|run|runs|swim|swims|hike|hikes|garden|gardens|knit|knits|sew|sews|dance|dances|sing|sings|meditate|meditates|draw|draws|surf|surfs|ski|skis|camp|camps|travel|travels)\\b(?! (you|me|it)\\b)',
      '(be|have been) (doing|playing|painting|writing|practicing|collecting|training|teaching|volunteering|dancing|running|coaching)( (for|since|as)\\b.*)?',
    ),
    unless:
      /^work(?:s|ed)? (?:for me|in (?:progress|the))|^run(?:s)? (?:out|into|away|late)|^do (?:not|it|that|this|you|so|my best|well|great|good|i)\b/u,
    denied: anchor.ordinary,
  },
];

/** English statements whose truth lasts: preferences, relations, who somebody is. */
export const lastingRules: readonly Rule[] = [...preference, ...relation, ...identity];
