import type { RatingWords } from '../rating-words.ts';

const UNIT =
  '(second|minute|hour|day|night|evening|morning|afternoon|weekend|week|month|year|summer|winter|spring|fall)s?';
const WEEKDAY = '(monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?';
const MONTH = '(january|february|march|april|may|june|july|august|september|october|november|december)';
/** What one likes in passing: the thing at hand, the listener's words. */
const AT_HAND =
  '(it|that|this|these|those|you|your|yours|how|what|hearing|chatting|talking|to (hear|see|help|chat|talk)|the (way|idea|sound|look|vibe))';
const LIKE = '(love|like|enjoy|adore|prefer|hate|dislike|detest|cherish)s?';

/** The words of English that rate what is said. */
export const rating: RatingWords = {
  script: /[A-Za-z]/,
  spaced: true,
  joints: 'but|because|and',
  self: "i, i'm, i've, i'd, i'll, me, my, mine, myself, we, we're, we've, we'd, we'll, us, our, ours",
  own: `mom, mum, mommy, mother, dad, daddy, father, parents?, (grand|step|god)?(mother|father|son|daughter|parents?|ma|pa), (step)?(brother|sister)s?, siblings?, sons?, daughters?,
    kids?, child, children, baby, twins, wife, husband, spouse, partner, fianc[ée]e?, girlfriend, boyfriend, ex, uncle, aunt(ie)?, cousins?, nephews?, nieces?, family, dogs?, cats?, pupp(y|ies),
    kittens?, pets?, rabbits?, hamsters?, parrots?, horses?, turtles?, guinea pigs?, best friends?`,
  listener: "you, you're, you've, you'd, you'll, your, yours",
  others: "he, he's, she, she's, they, his, her, him, them, their, someone, people, (looks|sounds|feels|seems) like",
  negations:
    "not, never, no, hardly, without, don't, doesn't, didn't, isn't, aren't, wasn't, weren't, won't, can't, cannot, couldn't, wouldn't, haven't, hasn't, hadn't",
  suppositions: 'if, wish, unless, suppose, imagine, would, might',
  jokes: 'just kidding, kidding, joking, jk, lol, as if, yeah right, mondays',
  smallTalk: `(hey|hi|hello|good (morning|afternoon|evening|night|luck|job))( there| again)?( \\p{Lu}\\p{L}+)?, wow, whoa, oh, ah, aww*, ha(ha)+, lol, thanks( so much| a lot| again| a ton| a bunch)?, thank you( so much| very much)?, thx, cheers, bye, goodbye,
    congrats, congratulations, ok, okay, yes, yeah, yep, sure, no, nope, please, sorry, absolutely, definitely, totally, exactly, right, cool, nice, great, awesome, amazing, perfect, same here, me too, you too, agreed,
    sounds (good|great|fun), of course, no (problem|worries|idea), you're welcome, my pleasure, well done, take care, see (you|ya)( (soon|later|then|there|tomorrow|tonight|around|again|(on|next) \\p{L}+))?, talk (to you )?(soon|later),
    (happy|merry) (birthday|new year|holidays|christmas), i'm (so )?sorry( to hear (that|it)| for your loss)?, i (agree|see|know|understand), got it, long time no see, what's up, how are you( doing| today)?, keep it up, will do,
    (so |really |very )?(good|great|nice|lovely|glad) to (see|hear|meet|know)( from)?( you| that| it)?( too| again)?, that'?s (so |really |very |such a )?(sweet|great|nice|cool|awesome|amazing|wonderful|funny|true|lovely|good|sad|tough)( idea| news)?`,
  yes: 'yes, yeah, yep, yup, sure, i am, i do, i have, i did, of course, definitely, absolutely',
  asksListener: /\b(?:are|do|did|have|were|can) you (.{1,200}?)\?\s*$/iu,
  toAnswer: (matter) => `I ${matter.replace(/\byour\b/giu, 'my').replace(/\bany\b/giu, 'a')}.`,
  openQuestions: 'what, which, who, whom, whose, when, where, why, how, or',
  numbers:
    'two, three, four, five, six, seven, eight, nine, ten, twelve, twenty, thirty, fifty, hundred, thousand, dozen, couple, first, second, third, once, twice',
  times: `yesterday, today, tomorrow, tonight, recently, lately, since, ago, every ${UNIT}, (last|next|this|past|coming) (few )?${UNIT}, ${WEEKDAY}, (last|next|in|since|until|by) ${MONTH}, ${MONTH} \\d+*, \\d+* (of )?${MONTH}, (in|since) (19|20)\\d\\d, for (the past )?(\\d+|\\p{L}+) (years|months), in (a|two|three|\\d+) ${UNIT}`,
  statements: [
    {
      kind: 'safety',
      importance: 'life',
      negated: 'dated',
      words: `(kill|kills|killing|hurt|hurting|cut|cutting) (myself|himself|herself|themselves), end (my|his|her) life, (want|wants|wanted|going|tried|trying) to die, suicid*, self-harm*,
        (hits|beats|hit|beat|threatens|threatened|stalks|abuses|abused) me, (was|been|got|being|were) (abused|assaulted|raped|attacked|robbed|mugged|stabbed|stalked|threatened|beaten)`,
    },
    {
      kind: 'life',
      importance: 'life',
      words: `passed away, {own} (\\p{L}+ )?(died|is dead|was killed|is dying), (got|get|gets|getting) (married|divorced|separated|widowed|engaged(?! in)), divorc(e|ed|ing), pregnant, gave birth, (had|having|have) (a|an|our|my|another) (\\p{L}+ )?(baby|miscarriage), miscarriage,
        lost (my|our|his|her) (\\p{L}+ )?(job|home|house|{own}), laid off, (got|was|been|were) (fired|evicted|deported|arrested), (car|bike|traffic|bad) (accident|crash), broke up with, split up, adopt(ed|ing) .. (baby|child|kid|son|daughter), (i|we|he|she|has|have|just) retired, retiring, came out (as|to), transition(ed|ing)`,
    },
    {
      kind: 'life',
      importance: 'grave',
      words: `(quit|left) (my|our|his|her) (\\p{L}+ )?(job|career|company), new job, (got|been|was|were) (promoted|hired), promotion, got (a|the|an|my) .. (job|offer|role), (moved|moving|immigrated|emigrated) (to (?!the|tears|bed)\\p{L}+|from|abroad|out of|in with|into a|back to),
        bought (a|our|my) .. (house|home|apartment|condo|flat), graduated, graduating, got (accepted )?into .. (college|university|school|program), (open|opened|opening|start|started|starting) (up )?(my|our|a|an|his|her) .. (business|store|shop|studio|restaurant|cafe|company|family|foundation)`,
    },
    {
      kind: 'health',
      importance: 'grave',
      negated: 'ordinary',
      words: `allergic to, (an?|my|his|her|severe|nut|food|peanut) allerg(y|ies), diagnosed, diabet(es|ic), cancer, asthma*, epilep*, arthritis, ptsd, ocd, bipolar, adhd, autis(m|tic), dementia, alzheimer's, parkinson's, hypertension, high blood pressure, leukemia, tumou?r, heart (attack|condition|disease|problems?),
        (had|have|has|having|a) (a )?stroke, surgery, operation on, chemo*, hospitali[sz]ed, (in|to) (the )?(hospital|icu|er|rehab), insulin, antidepressants?, medication, seizures?, chronic \\p{L}+, (eating|anxiety|sleep|personality) disorder`,
    },
    {
      kind: 'health',
      importance: 'lasting',
      negated: 'lasting',
      words: `(broke|sprained|fractured|tore|injured|dislocated|twisted) (my|his|her|our) .. (arm|leg|ankle|wrist|foot|knee|back|shoulder|hip|hand|finger|rib|neck|toe)s?, (got|was|badly) (hurt|injured), injury, vegan, vegetarian, lactose intolerant, intolerance, gluten-?free, sober, therapy, (my|a) (therapist|counsell?or|psychiatrist),
        (quit|stopped|gave up|give up|giving up|given up|cut out) (smoking|drinking|alcohol|sugar|caffeine|coffee|meat)`,
    },
    {
      kind: 'preference',
      importance: 'lasting',
      negated: 'lasting',
      own: true,
      words: `(?<!would )(?<!'d )${LIKE}(?! ${AT_HAND}(?!\\p{L}))(?= \\p{L}), (can't|cannot|can not) stand, (big|huge|total)? ?fan of, (addicted to|obsessed with|passionate about|crazy about|fond of|into) (?!it|that|this|the|a )\\p{L}+, (afraid|scared|terrified) of (?!it|that|this)\\p{L}+, (don't|doesn't|never|can't|do not|cannot) (eat|drink|smoke) (\\p{L}+ )?(meat|dairy|gluten|pork|beef|alcohol|seafood|nuts|sugar|milk|eggs|fish|coffee|wine)`,
    },
    {
      kind: 'preference',
      importance: 'lasting',
      negated: 'lasting',
      words:
        "(my|our) ((\\p{L}|-)+ )?(favou?rites?|passion|hobby|hobbies|pet peeve|comfort (food|zone)), (please )?(don't|never) (suggest|offer|recommend|call me|give me)",
    },
    {
      kind: 'preference',
      importance: 'dated',
      own: true,
      words:
        '(loved|hated|enjoyed|adored) (?!it|that|this|you|your|the way), used to \\p{L}+, helps? me, keeps? me, makes? me (feel|happy|smile)',
    },
    {
      kind: 'preference',
      importance: 'feeling',
      negated: 'feeling',
      own: true,
      words: `(?<!would )(?<!'d )${LIKE} ${AT_HAND}`,
    },
    {
      kind: 'relation',
      importance: 'lasting',
      negated: 'lasting',
      words:
        "(have|has|got|adopted|rescued|raise|raising) (a|an|two|three|four|five|no|any|one|\\d+) ((?!question|problem)\\p{L}+ )?{own}, {own}'s name is, (been|am|'m|are) (happily )?(married|divorced|engaged|widowed|dating)(?! in), married (for|since), known (each other|him|her|them) (for|since), grew up with, fell in love, single (mom|dad|parent|mother|father)",
    },
    {
      kind: 'relation',
      importance: 'goal',
      words:
        'my (\\p{L}+ )?{own}( \\p{Lu}\\p{L}+)? (is (an?|the|\\d+|turning|studying|working|getting|starting)|works|lives|teaches|studies|loves|hates|likes|plays|goes to|has (a|an|two|three|been)|turned)',
    },
    {
      kind: 'identity',
      importance: 'lasting',
      words:
        "my name(?:'s| is), call me \\p{Lu}\\p{L}+, my (birthday|phone number|number|address|hometown|e-?mail|religion|pronouns|blood type), (was|were|'m|am) (born|raised) (in|on), grew up (in|on|near), (i'm|we're|i am|come|came|originally|moved here) from (?!work|home|the)\\p{L}+, (live|lives|living) (in|near|with) (?!fear|the moment), \\d+ years old, identify as, home (country|town), roots",
    },
    {
      kind: 'identity',
      importance: 'goal',
      own: true,
      negated: 'ordinary',
      words: `(am|'m|is|was|as|became) (an?|the) .. (accountant|actor|actress|architect|artist|athlete|author|baker|barista|chef|coach|consultant|counsell?or|dancer|dentist|designer|developer|director|doctor|driver|editor|electrician|engineer|farmer|firefighter|gamer|journalist|judge|lawyer|librarian|manager|mechanic|musician|nurse|officer|painter|photographer|pilot|producer|professor|programmer|psychologist|reporter|scientist|secretary|singer|soldier|student|surgeon|teacher|technician|trainer|translator|veteran|vet|volunteer|waiter|waitress|writer),
        (work|works|worked|working) (as|at|for (?!me)|remotely|part-time|full-time|from home), (study|studies|studied|studying|major|majoring) (in|at|\\p{L}+), my (own )?(job|career|degree|major|business|company|store|shop|studio|goal|dream|blog|channel), (play|plays|playing|played) (the )?(\\p{L}+ )?(guitar|piano|violin|drums|cello|flute|clarinet|sax*|basketball|football|soccer|tennis|chess|hockey|golf), (speak|speaks|learning|learn) (to )?(english|spanish|french|german|italian|chinese|japanese|korean|sign language),
        (good|great|terrible|bad) at (?!the|this|it), know how to, (volunteer|teach|coach|collect|paint|knit|hike|meditate)(s|ing)?`,
    },
    {
      kind: 'identity',
      importance: 'dated',
      own: true,
      words: `every (single |other )?(${UNIT}|${WEEKDAY}), (once|twice|\\p{L}+ times) a (day|week|month|year), on (weekends|weekdays), usually, daily, weekly`,
    },
    {
      kind: 'plan',
      importance: 'goal',
      own: true,
      words:
        '(want|wants|hope|hoping|plan|planning|dream|decided|going) (of |on )?(to (be|become|adopt|start|open|launch|move|study|learn|write|publish|build|quit|retire|apply|volunteer|get (married|a (dog|cat|degree)))|becoming|being|moving|starting|opening) ((?!you|me)\\p{L}+), (my|our) (\\p{L}+ )?(goal|dream|ambition|plan|resolution)s? (is|was|are), dream of, saving (up )?for, (applying|applied) (to|for), (training|preparing|studying) for, working on (a|an|my|our)',
    },
    {
      kind: 'plan',
      importance: 'ordinary',
      datable: true,
      own: true,
      negated: 'feeling',
      words:
        '(plan|plans|planning|hope|hopes|hoping|want|wants|trying|about|decided|thinking|excited) (to|on|of|for|about) (?!bed|sleep|say|tell you|ask|know|thank|hear|see you|talk to you), signed up, (booked|scheduled|registered|enrolled), (going|flying|driving|visiting|hosting|heading) (?!to bed|well|great|on$)\\p{L}+, (have|has|got) (an?|my|our) .. (appointment|interview|exam|test|meeting|flight|trip|date|deadline|competition|tournament|recital|concert|show|game|match|race|performance|presentation|conference|wedding|party|audition|reunion|event|gig), looking forward to',
    },
    {
      kind: 'plan',
      importance: 'ordinary',
      negated: 'ordinary',
      own: true,
      words: "(can't|cannot|can not) wait (for|to (?!hear|see|know|tell|find))",
    },
    { kind: 'plan', importance: 'feeling', own: true, words: "(would|'d) (love|like) to" },
    {
      kind: 'event',
      importance: 'dated',
      datable: true,
      own: true,
      words:
        '(won|finished|completed|achieved|passed|failed|joined|launched|published|released|performed|competed|volunteered|founded|organi[sz]ed|hosted|attended|visited|travell?ed|hiked|climbed|celebrated|donated|discovered|created|built|painted|wrote|bought|sold|adopted|ran|recorded|earned|scored) (an?|the|my|our|his|her|their|first|in|at|to|two|three)(?! (lot|bit|while|few|break|look|nap))',
    },
    {
      kind: 'event',
      importance: 'ordinary',
      datable: true,
      own: true,
      words:
        "(went|got(?! it)|had (?!to|no|fun)|made(?! sense)|took|met|began|broke|won|lost|wrote|read|built|caught|drove|flew|gave|came|spent|swam|sang|ate|rode|left|sold|started|tried|stayed|finished|learned|played|watched|saw|found|joined|visited|created|worked|helped|attended), (been|am|are|'m|'re|'ve been) (reading|watching|researching|developing|designing|filming|making|creating|building|planting|exploring|attending|taking|working|painting|writing|learning|volunteering|practicing)",
    },
    {
      kind: 'event',
      importance: 'ordinary',
      datable: true,
      words: '(?<=^(just )?)(went|got back|finished|started|took|bought|visited)',
    },
    {
      kind: 'feeling',
      importance: 'dated',
      negated: 'feeling',
      own: true,
      words:
        'devastated, heartbroken, depressed, lonely, anxious, overwhelmed, terrified, hopeless, miserable, grieving, panicked, desperate, worthless, ecstatic, overjoyed, burn(ed|t|ing) out, miss (my|our|him|her|them|home), proud of, (rough|tough|hard) time, feel(ing)? (lost|stuck|alone)',
    },
    {
      kind: 'feeling',
      importance: 'feeling',
      own: true,
      words:
        'happy, glad, excited, thrilled, pumped, stoked, grateful, thankful, relieved, calm, relaxed, hopeful, proud, inspired, motivated, amazed, nervous, worried, stressed, tired, exhausted, swamped, busy, sad, upset, angry, mad, annoyed, frustrated, disappointed, confused, bored, jealous, embarrassed, guilty, scared, afraid, homesick, sick of, dead tired',
    },
    {
      kind: 'health',
      importance: 'ordinary',
      datable: true,
      own: true,
      words:
        '(a|the|an) .. (cold|flu|fever|headache|cough|stomach ?ache|toothache|sore throat), food poisoning, (am|felt|feel|got|been) (sick(?! of)|ill|unwell|dizzy), threw up, trouble (sleeping|breathing), palpitations',
    },
    {
      kind: 'figure',
      importance: 'ordinary',
      words:
        '\\d\\d\\d+, \\d+([.:/]\\d+)+, (\\d+|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred) (\\p{L}+ )?(people|books|hours|years|months|weeks|miles|km|pounds|kg|dollars|points|goals|percent)',
    },
  ],
  good: [
    'glad, nice, fun, good, cool, interesting, relax(ing|ed), calm, hopeful, cozy, enjoy(ed|ing|s)?, liked?, likes, curious',
    'happ(y|ier), great, love[sd]?, loving, excit(ed|ing), proud, grateful, thankful, wonderful, awesome, lovely, beautiful, inspir(ed|ing), lucky, delighted, cheerful, success(ful)?, succeeded, won',
    'thrilled, amazing, ecstatic, elated, overjoyed, incredible, fantastic, perfect, best day, blessed',
  ],
  bad: [
    'tired, busy, boring, bored, nervous, unsure, annoy(ing|ed), disliked?, swamped, miss(ed|ing)?',
    'sad, worr(y|ied|ies|ying), stress(ed|ful)?, upset, angry, mad, afraid, scared, anxious, frustrat(ed|ing), disappoint(ed|ing), lonely, hurts?, hurting, hate[sd]?, sick, pain(ful)?, guilty, ashamed, embarrassed, rough, lost, fail(ed)?, tough, overwhelmed',
    'devastat(ed|ing), heartbr(oken|eaking), depress(ed|ing|ion), terrified, terrible, horrible, awful, hopeless, miserable, grie(f|ving), die[sd]?, dead, passed away, suicid(e|al), cancer, trauma(tic)?, abused?',
  ],
};
