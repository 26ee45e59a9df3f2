/*
 * The words by which English tells that something is so, or is so no more. A pattern stands behind its subject and `has`; contractions
 * are written out and words such as `just` and `now` left out before. `{now}` is what is so from then on, `{over}` what is over;
 * `{place}`, `{name}`, `{job}` and `{date}` are a `{now}` of that shape, and `{a}` is an article or none.
 */

/** Family and others whom somebody calls by that word alone, or by `my …`. */
export const relations =
  'mum|mom|mother|dad|father|brother|sister|son|daughter|husband|wife|partner|boyfriend|girlfriend|fiancé|fiancée|cousin|uncle|aunt|nan|gran|grandma|grandmother|grandad|grandpa|grandfather|nephew|niece|flatmate|housemate|roommate|boss|friend|neighbour|neighbor|team|parents|ex';

/** What somebody is, has or does: a clause with one of these behind its subject says how things are. */
export const holding =
  'am|is|are|have|has|own|owns|use|uses|drive|drives|ride|rides|work|works|live|lives|play|plays|study|studies|learn|learns|teach|teaches|eat|eats|drink|drinks|smoke|smokes|run|runs|go|goes|do|does|wear|wears|keep|keeps|pay|pays|read|reads|write|writes|attend|attends|train|trains|practise|practises|practice|practices|swim|swims|sing|sings|cycle|cycles|commute|commutes|rent|rents|take|takes|watch|watches|shop|shops|speak|speaks|started|joined|got|bought|adopted';

/** What is so, by the attribute of which it is a value. */
export const states: Readonly<Record<string, readonly string[]>> = {
  home: [
    '(?:(?:am |is |are )?living|live|lives|(?:am |is |are )?based|settled)(?: down| together| at the moment)? in {place}',
    '(?:moved|relocated)(?: back| over| up| down| out)?(?: from {old})? to {place}',
    'live with {now}',
  ],
  job: ['(?:am |is |are )?(?:work|works|working|started|started working) as {a}{now}', '(?:am|is) (?:a|an) {job}'],
  employer: [
    '(?:am |is |are )?(?:work|works|working|started|started working|hired) (?:at|for|by) {employer}',
    '(?:am |is |are )?(?:work|works|working|started|started working) as {a}{old} (?:at|for) {employer}',
    '(?:teach|teaches) {old} at {a}{now}',
    'joined {name}',
  ],
  study: ['(?:am |is )?(?:study|studies|studying) {now}', '(?:am|is) a student (?:at|of) {now}'],
  partner: [
    '(?:am |is )?(?:been )?(?:dating|married to|engaged to|together with) {called}?{name}',
    '(?:am |is )?(?:been )?seeing {called}?{name}(?= since| for|$)',
    '(?:am |are |is |got )(?:back )?(?:engaged|married|together|dating|a couple)(?: to {name})?(?= since|$)',
    '(?:got )?married {name}',
    '(?:have|has|got) a (?:new )?(?:girlfriend|boyfriend|partner|wife|husband)(?:,? (?:called|named))?,? {name}',
    '(?:have|has|got|met) (?:a (?:new )?)?{someone}$',
    'am {single}',
  ],
};

/** What has changed, by its attribute; nothing of that attribute is so any longer where no `{over}` tells what. */
export const changes: Readonly<Record<string, readonly string[]>> = {
  home: [
    '(?:moved|relocated)(?: back| over| up| down| out)?(?: from {old})? to {place}',
    'moved(?: back)? into (?:a|an|the|my|our) {old} in {place}',
    'settled(?: down| in)? in {place}',
    'moved out of (?:my |our |the )?{over}',
  ],
  job: [
    '(?:started|begun|began)(?: working| work)? as {a}{now}',
    '(?:got|found|taken|landed|started)(?: on)? a new job as {a}{now}',
    '(?:was |got )?promoted to {a}{now}',
  ],
  employer: [
    '(?:started|begun|began)(?: working| work)? (?:at|for) {employer}',
    'joined {name}',
    '(?:was |got )?hired (?:by|at) {employer}',
  ],
  work: [
    '(?:got|found|taken|landed|started)(?: on)? (?:a|my|the) new (?:job|role|position|post)(?: (?:at|with|for) {a}{now})?',
    '(?:changed|switched) (?:my )?(?:jobs?|employers?|careers?)$',
    '(?:quit|lost|resigned from|left) (?:my|his|her|their|our) job$',
    '(?:was |were |got )?(?:made redundant|laid off|fired|sacked)(?! (?:by|from|at))',
    '(?:resigned|retired)(?! from)',
    'handed in (?:my|his|her|their) (?:notice|resignation)(?! (?:at|to|with))',
  ],
  partner: [
    '(?:am |are |is |got )?(?:split up|broken up|broke up|split|separated|divorced|no longer together|not together any ?more)(?: with {over})?(?= last| over| in | on | for good|$)',
    'called off (?:the|our) (?:engagement|wedding)',
    '(?:split up|broken up|broke up) with {over}',
  ],
  any: [
    '(?:quit|resigned from|retired from|dropped out of|graduated from|finished with|cancelled|given up|gave up|stopped) (?:my job (?:at|with) |my |the |our )?{over}',
    '(?:quit|lost|left|resigned from) (?:my|his|her|their) job (?:at|with) {a}{over}',
    'handed in (?:my|his|her|their) (?:notice|resignation) (?:at|to|with) {a}{over}',
    'stepped down (?:as|from being) {a}{over}',
    '(?:was |were |got )?(?:made redundant|laid off|fired|sacked) (?:by|from|at) {a}{over}',
    '(?:am |is |are )?no longer {rest}',
    '(?:do|does|am|is|are) not {rest} any ?(?:more|longer)',
    'left (?:my |our )?{a}{over}(?= last | this | in [A-Z]| on | for good| after (?:[a-z]+ )?(?:years|months)|$)',
    '(?:left|quit) (?:the |my )?{over} for {a}(?:job (?:at|in|with) )?{a}{now}',
  ],
  thing: [
    '(?:sold|scrapped|traded in) (?:my|the|our|his|her) {over}',
    '(?:sold|scrapped) (?:my|the|our|his|her) {over} and bought {a}{now}',
    '(?:replaced|swapped|traded|exchanged) (?:my|the|our|his|her) {over} (?:with|for|by) {a}{now}',
    '(?:switched|changed|swapped|moved|migrated|gone|went|transferred)(?: back)?(?: (?:my|our) [a-z]{3,20})? from (?:my )?{a}{from} to {a}{now}',
    '(?:switched|changed|moved|migrated)(?: over)? to {a}{now} from {a}{over}',
  ],
};

/** Who left somebody: `Owen broke up with me`. */
export const leaving = '(?:broke up|broken up|split up|split) with me|left me(?= for| last|$)|dumped me|divorced me';
/** What happens to somebody or something that is theirs no more, behind the name. */
export const gone =
  '(?:passed away|moved out|retired|closed down|disbanded|split up|went bankrupt|went out of business)(?= in | on | last | this | for good| after |,|$)';
/** What an employer does, behind the name. */
export const dismissing = '(?:let me go|laid me off|fired me|sacked me|made me redundant)';
/** Things of which a new one takes the place of the old one. */
export const renewable =
  'phone|mobile|phone number|number|laptop|computer|car|email|email address|address|landlord|boss|doctor|dentist|therapist|gym|manager';

/** What happens to a thing: it gets another time, another number. */
export const turns: readonly string[] = [
  '(?:was |were )?(?:moved|rescheduled|put back|pushed back|postponed|brought forward|delayed|shifted)(?: back)? (?:to|until) {date}',
  '(?:was |were )?(?:went|gone|risen|rose|fallen|fell|increased|dropped|changed) (?:up |down )?from {from} to {now}',
];
/** The same with somebody before it: they moved my appointment to Wednesday. */
export const turnsOf =
  '(?:moved|rescheduled|put back|pushed back|postponed|brought forward|delayed|shifted) (?:my|the|our) (?<of>[a-z ]{3,30}?) (?:to|until) {date}';

/** Things of which somebody has one: the newest value holds, whether it is said to be new or not. */
export const single =
  'favou?rite [a-z ]+|e-?mail(?: address)?|(?:(?:phone|mobile|telephone) )?number|phone|address|city|boss|employer|rent|girlfriend|boyfriend|partner|wife|husband|shift|job|major|landlord|time ?zone';

/** A clause with one of these states nothing of how things are. */
export const doubt =
  'if|unless|would|might|may|could|should|shall|want|wants|wanted|wish|wishes|hope|hopes|love to|like to|plan|plans|planning|planned|thinking|think|considering|considered|consider|dream|dreamed|dreamt|nearly|almost|never|pretend|pretended|imagine|imagined|used to|when I was|when we were|as a child|as a kid|years ago|ages ago|back then|long ago|in those days|(?:have|has|had|did|was|were) not|will|wo not|going to|gonna|about to|for a while|for a (?:day|week|weekend|night|month|bit)|for the (?:day|week|weekend|night|summer|evening)|tonight|dressed up|joke|joking|apparently|supposedly|maybe|perhaps|probably|next (?:week|month|year|spring|summer|autumn|winter)|tomorrow|had (?:moved|lived|worked)';
/** A sentence with one of these tells what others say, or supposes. */
export const reports =
  'said|says|told|tells|heard|hears|i read|wrote|asked|asks|did you know|rumou?r|if|dreamed|dreamt|imagine|suppose';
/** What is left for a moment, or is nothing of theirs. */
export const passing =
  '^(?:keys|bag|message|note|house|office|room|party|table|door|light|app|game|page|site|tab|window)\\b|\\b(?:at (?:\\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)|early|late|without|behind|alone)\\b|\\bto [a-z]+ (?:my|the|a|an|his|her|some)\\b';
/** What was believed turns out not to be so. */
export const corrected = 'turns out|turned out|after all';
/** Words that tell no more than how or since when, and those of now. */
export const adverbs =
  'just|finally|recently|already|officially|actually|also|both|since|even|really|lately|eventually';
export const now = 'now|nowadays|these days|currently|at the moment|at present';
/** What ends a value: when, why, with whom. */
export const ending =
  'in|on|at|since|last|this|for|because|and|but|with|after|before|over|when|where|who|which|so|near|by|now|these|again|from|as|to|any|while|until|who|that|line|,';
/** A text without any of these tells no change. */
export const cues =
  'passed|bankrupt|business|disbanded|closed|stepped|let me|turns|turned|all|promoted|hired|dumped|married|moved|relocated|settled|started|begun|began|new|joined|quit|lost|resigned|left|redundant|laid|fired|sacked|retired|handed|split|broken|broke|separated|divorced|together|called|dropped|graduated|finished|cancelled|given|gave|stopped|longer|any ?more|sold|scrapped|traded|replaced|swapped|exchanged|switched|changed|migrated|transferred|rescheduled|put|pushed|postponed|brought|delayed|shifted|went|gone|risen|rose|fallen|fell|increased|now|nowadays|these days|currently|at present|at the moment|live|lives|living|based|dating|seeing|married|engaged|girlfriend|boyfriend|partner|wife|husband|single|someone|somebody|not|favou?rite|e-?mail|number|phone|address|city|job|rent|boss|employer|landlord|shift|major|time ?zone';
/** Whoever asks with one of these asks how it stands with them. */
export const questions: Readonly<Record<string, string>> = {
  home: 'live|living|based|city|town|home|address|moved?',
  work: 'work|working|job|living|employer|company|occupation|profession|career|paid',
  partner: 'partner|girlfriend|boyfriend|wife|husband|dating|seeing|married|relationship|single|going out with',
};
