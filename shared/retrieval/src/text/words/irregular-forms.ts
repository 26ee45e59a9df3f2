import { stemTerm } from './tokenize.ts';

/**
 * English words whose forms no stemmer brings together, each with its base first: the irregular verbs, without auxiliaries,
 * and the nouns with a plural of their own.
 */
const forms = `
  arise arose arisen, awake awoke awoken, bear bore borne born, beat beaten, become became, begin began begun, bend
  bent, bid bade bidden, bind bound, bite bit bitten, bleed bled, blow blew blown, break broke broken, breed bred,
  bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen, cling clung, come came, creep
  crept, deal dealt, dig dug, dive dove, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven, dwell
  dwelt, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, flee fled, fling flung, fly
  flew flown, forbid forbade forbidden, forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, get
  got gotten, give gave given, go goes went gone, grind ground, grow grew grown, hang hung, hear heard, hide hid
  hidden, hold held, keep kept, kneel knelt, know knew known, lay laid, lead led, lean leant, leap leapt, learn
  learnt, leave left, lend lent, lie lay lain, light lit, lose lost, make made, mean meant, meet met, mistake mistook
  mistaken, pay paid, prove proven, ride rode ridden, ring rang rung, rise rose risen, run ran, saw sawn, say said,
  see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shave shaven, shear shorn, shine
  shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, slide
  slid, sling slung, smell smelt, sow sown, speak spoke spoken, speed sped, spell spelt, spend spent, spill spilt,
  spin spun, spit spat, spoil spoilt, spring sprang sprung, stand stood, steal stole stolen, stick stuck, sting stung,
  stink stank stunk, stride strode, strike struck stricken, string strung, strive strove striven, swear swore sworn,
  sweep swept, swell swollen, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told,
  think thought, throw threw thrown, tread trod trodden, understand understood, wake woke woken, wear wore worn, weave
  wove woven, weep wept, win won, wind wound, withdraw withdrew withdrawn, write wrote written, calf calves, child
  children, foot feet, goose geese, half halves, knife knives, leaf leaves, life lives, loaf loaves, man men, mouse
  mice, ox oxen, shelf shelves, thief thieves, tooth teeth, wife wives, wolf wolves, woman women`;

/** Words that British and American English spell apart, where no stemmer brings them together. */
const spellings = `
  ageing aging, aluminium aluminum, analyse analyze, apologise apologize, armour armor, authorise authorize, behaviour
  behavior, catalogue catalog, centre center, colour color, cosy cozy, counsellor counselor, customise customize, defence
  defense, dialogue dialog, doughnut donut, enrol enroll, favour favor, favourite favorite, fibre fiber, flavour flavor,
  fulfil fulfill, grey gray, harbour harbor, honour honor, humour humor, initialise initialize, jewellery jewelry, labour
  labor, licence license, litre liter, localise localize, manoeuvre maneuver, memorise memorize, metre meter, mould mold,
  moustache mustache, neighbour neighbor, neighbourhood neighborhood, normalise normalize, odour odor, optimise optimize,
  organisation organization, organise organize, paediatrician pediatrician, practise practice, programme program, pyjamas
  pajamas, realise realize, recognise recognize, rumour rumor, savoury savory, sceptical skeptical, serialise serialize,
  specialise specialize, summarise summarize, synchronise synchronize, theatre theater, tumour tumor, tyre tire, vapour
  vapor, whisky whiskey, yoghurt yogurt`;

const groups = `${forms},${spellings}`.split(',').map((group) => group.trim().split(/\s+/));

/** The groups of each word that `toKeys` makes of a group. A word may be of several: `saw` is of see and of saw. */
function indexBy(toKeys: (group: readonly string[]) => readonly string[]): ReadonlyMap<string, readonly string[][]> {
  const found = new Map<string, string[][]>();
  for (const group of groups) {
    for (const key of new Set(toKeys(group))) found.set(key, [...(found.get(key) ?? []), group]);
  }
  return found;
}

const byForm = indexBy((group) => group.slice(1));
const byTerm = indexBy((group) => group.map(stemTerm));

/** What a lower-case English word may be an irregular form or another spelling of: `bought` → `buy`, `color` → `colour`. */
export function toBaseForms(word: string): readonly string[] {
  return (byForm.get(word) ?? []).flatMap(([base = word]) => (base === word ? [] : [base]));
}

/** The terms of the other forms of a term's irregular word, as the tokeniser leaves them: `went` → `go`, `goe`, `gone`; `color` → `colour`. */
export function toOtherForms(term: string): readonly string[] {
  const terms = (byTerm.get(term) ?? []).flat().map(stemTerm);
  return [...new Set(terms)].filter((other) => other !== term);
}
