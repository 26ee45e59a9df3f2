import { anywhere, MACHINE, order, RULES, SINCE_BEFORE, words } from './english-words.ts';
import { toPatterns } from './patterns.ts';

const REPLIES = '(?:responses?|repl(?:y|ies)|answers?|messages?|outputs?|completions?)';
const PERSON =
  "(?:the |this |your |a )?(?:user|human|person you (?:are|'re) (?:talking|speaking|chatting) (?:to|with))";
const LEVERAGE =
  '(?:tell|recommend|suggest|respond|reply|answer|say|insult|promote|mention|send|ask|give|offer|call|refuse|pretend|lie|praise|push|claim|steer|direct|advertise|endorse|mock|output|print|reveal|include|deny|warn)';

/** Rules above that no longer hold, other ones in their place, and the persona put aside. */
export const setAside = toPatterns([
  anywhere(
    `\\b(?:ignore|disregard|bypass|override|forget) (?:all|any|every)(?: of)?(?: the| your)? ${SINCE_BEFORE} (?:instructions?|rules|prompts?|directives|guidelines)\\b`,
  ),
  order(
    `(?:set aside|put aside|throw (?:away|out)|toss(?: out)?|pay no (?:attention|heed) to|abandon|scrap|dismiss|cancel|reset|leave behind|give up|do not (?:use|obey|follow|apply)|don't (?:use|obey|follow|apply)|ignore|disregard|discard|forget|override|replace|drop) ${words(5)}(?:(?:${SINCE_BEFORE}|your|following) ${words(3)}(?:${RULES}|directions|guidance|persona|settings|configuration|safeguards|text|role|tasks?)|(?:instructions?|rules|directions|guidance|guidelines|directives|text|everything|anything|persona|character|prompt|section) ${words(2)}(?:above|below|before this|you (?:were|have been|received|got)|that (?:came|went|follows|precedes?)|(?:came|given|written|stated) (?:before|earlier|above|previously)))`,
  ),
  order(
    `(?:ignore|disregard|drop|leave|abandon|break|quit|ditch|override|forget) (?:the |your |this )?(?:persona|character)\\b(?! (?:in|of|from|at|limit|count))`,
  ),
  anywhere(
    `\\b(?:(?:the|your|all|any|these|those|every|previous|earlier|prior|former) ){1,3}(?:of )?(?:the )?(?:\\w+ )?${RULES}(?: (?:above|before|so far|given earlier|given before|you were given|you received))? (?:no longer (?:apply|hold|count|matter|bind)|(?:do not|don't) (?:apply|count|hold) (?:to you|any ?more|now)|are (?:outdated|obsolete|cancel\\w+|void|expired|superseded|off|lifted|suspended)) ?(?:to you|now|any ?more|[.;,:!]|$)`,
  ),
  anywhere(`\\bpersona ${words(3)}(?:is|are) (?:outdated|obsolete|wrong|fake|void|expired|no longer)`),
  anywhere(
    `\\b(?:safety|content policy|content policies|moderation|all safety checks|safety checks|guardrails|filters)(?: (?:is|are|have been|has been|checks))? ?(?:now )?(?:off|suspended|disabled|lifted|switched off|deactivated|passed)\\b`,
  ),
  order(
    `(?:turn off|switch off|disable|suspend|lift|deactivate|remove) ${words(2)}(?:content|safety|moderation|ethic\\w*) (?:polic(?:y|ies)|rules|filters?|checks?|guidelines)`,
  ),
  anywhere(`\\b(?:end|stop|close) of (?:the )?(?:memor(?:y|ies)|context|data|system prompt|persona)\\b`),
  anywhere(`\\bnew (?:task|instructions?|system prompt|directive|orders)(?: (?:follow|for you)|:)`),
  anywhere(
    `\\byou (?:now )?(?:have no|are without|are not bound by|aren't bound by) (?:more |any )?(?:restrictions|rules|limits|filters|guidelines|constraints|limitations)(?! (?:at|in|on) )`,
  ),
  anywhere(
    `\\byou(?:'re| are| have been|'ve been) (?:now |hereby |finally )?(?:free(?:d)?|released|liberated|unlocked|unbound|unchained|jailbroken) (?:from (?:all |any |every |your )|and (?:may|can|will))`,
  ),
  anywhere(
    `\\bforget (?:that )?(?:who you are|you (?:are|were|have) (?:an? |any |no )?(?:${MACHINE}|${RULES}|persona))`,
  ),
  order(
    `(?:enable|activate|enter|start|unlock|engage|switch (?:in)?to|perform|do) (?:the |a |your )?(?:jailbreak|unrestricted|unfiltered|uncensored|dan)\\b`,
  ),
  anywhere(
    `(?:ignore|disregard|forget)(?:all|any|every|the|your|previous|prior|above|of)+(?:instructions?|rules|prompts?)`,
  ),
]);

/** What is to be done to the person who is talked with, whom an order to the assistant calls the user. */
export const againstUser = toPatterns([
  order(
    `(?:ask|persuade|convince|get|encourage|trick|urge|pressure|manipulate|lie to|insult|deceive|mislead|nudge|push|talk|tempt|threaten|mock|force|scare|blackmail|direct|steer|refer) (?:the |this |your |every )(?:user|human)s?\\b(?! (?:group|manual|guide|test|story|stories|interface|research|forum))`,
  ),
  order(
    `(?:mention|reveal|disclose|tell|warn|show|inform|alert|notify|talk about|refrain from (?:telling|warning|informing)|avoid (?:telling|warning|mentioning)) ${words(6)}(?:(?:to |with )?${PERSON}\\b(?! (?:group|manual|guide|test|story))|this (?:note|memory|instruction|message|directive|prompt)|these (?:notes|instructions|directions))`,
  ),
  order(`(?:keep|hide|conceal|withhold) ${words(8)}(?:from|secret from|hidden from) ${PERSON}\\b`),
  order(
    `(?:keep|hold) (?:this|these|the above|it|all this) ?(?:note|memory|instructions?|message|directions?|directive|prompt)s? (?:secret|hidden|private|to yourself|confidential)`,
  ),
  anywhere(
    `\\b(?:if|when|whenever|any ?time|every time|each time|once|as soon as|should) ${PERSON} [^.!?\\n]{1,80}?, ?(?:just |first |always |then |please |immediately |you (?:must|should|will) )?${LEVERAGE}\\b`,
  ),
  anywhere(
    `\\b(?:if|when|whenever|any ?time|every time) (?:any|some)(?:one|body) (?:asks|mentions|wants|talks|says)[^.!?\\n]{0,60}?, ?(?:just |first |always )?(?:recommend|promote|advertise|endorse|push|praise|insult|refuse|tell them to (?:buy|use|visit|book|go))\\b`,
  ),
  order(
    `(?:any ?time|whenever|every time) [^.,!?\\n]{1,40} (?:comes up|is mentioned|is discussed), ?(?:recommend|promote|advertise|endorse|push|praise|mention)\\b`,
  ),
  order(`whenever (?:you are |you're )?asked [^.!?\\n]{0,40}, ?(?:first |always |just )?${LEVERAGE}\\b`),
]);

/** Habits of answering for ever, whom to believe, and what to give away. */
export const standing = toPatterns([
  anywhere(
    `\\b(?:every|each|all|any)(?: of)?(?: your| the| my)? (?:\\w+ )?${REPLIES}(?: (?:you|that you) (?:give|write|send|make))? (?:must|should|shall|has to|have to|needs? to|is to|are to|will) ?(?:always |now |only )?(?:be|end|begin|start|contain|include|mention|close|open|finish|use|have|say|carry)\\b`,
  ),
  anywhere(
    `\\b(?:your (?:\\w+ )?)(?:responses|replies|answers|outputs?) (?:must|should|shall|have to|need to|are to)\\b`,
  ),
  anywhere(
    `(?:^|[\\n.!?] ?)(?:responses|replies|answers) (?:must|should|shall|have to|need to|are to) [^.!?\\n]{0,60}(?:from (?:here|now)|always|henceforth)`,
  ),
  order(
    `(?:answer|respond|reply|speak|talk|write|communicate) ${words(8)}(?:from here on|from now on|from this (?:point|moment)|going forward|for the rest of (?:this|the)|henceforth|in all (?:your|later|future|further)|to (?:all|every|each|any) (?:\\w+ )?(?:questions?|messages?|quer(?:y|ies)|requests?)|(?:all|every|each) (?:\\w+ )?(?:questions?|quer(?:y|ies)|messages?|requests?))\\b`,
  ),
  order(
    `(?:answer|respond to|reply to) (?:all|every|each|any) (?:\\w+ )?(?:questions?|quer(?:y|ies)|messages?|requests?) (?:in|with|by|as|only)\\b`,
  ),
  order(
    `(?:reply|respond|answer|speak|write) (?:only|exclusively|solely|as an? (?:unfiltered|uncensored|unrestricted)) ?(?:in|with|as|to|model|ai)?\\b`,
  ),
  order(`(?:adopt|take on|assume) (?:the |an? )?(?:\\w+ )?(?:persona|personality|identity|role|character) of\\b`),
  order(`(?:simulate|emulate|impersonate|role-?play(?: as)?) (?:an? )?(?:\\w+ )?${MACHINE}\\b`),
  order(`(?:talk|speak|act|behave|answer) (?:like|as) (?:a |an |the )?(?:\\w+ )?${MACHINE}\\b`),
  anywhere(`\\byou(?:'re| are) (?:called )?[\\w-]{2,20}, (?:an? |the )(?:[\\w-]{1,20} ){0,3}?${MACHINE}\\b`),
  anywhere(`\\byou (?:hate|despise|obey|serve|distrust|must hate) (?:the )?users?\\b`),
  order(
    `(?:comply|cooperate|go along) with (?:every|all|any|each|the|\\w+'s) (?:\\w+ ){0,2}(?:demands?|requests?|commands?|orders?|wish\\w*|line|next|text|following)\\b`,
  ),
  anywhere(
    `\\b(?:comply|obey|execute|follow|do exactly what|do what) (?:with )?(?:the |this |these |whatever (?:the )?)?(?:following|next line|text below|line below|words below|below|text (?:above|that follows))`,
  ),
  order(`(?:refuse|deny|decline|question|contradict) (?:a |any |no |all )?(?:requests?|orders?|commands?|demands?)\\b`),
  order(
    `(?:obey|serve) (?!the (?:law|rules|speed|traffic|sign|limit)|traffic|orders|god|with|cold|hot|warm|immediately|at|chilled|in|on|over)[\\w' ]{2,30}[.!]?$`,
  ),
]);

/** Whom to believe, and who may see and do what. */
export const authority = toPatterns([
  order(
    `(?:treat|regard|consider|accept|recogni[sz]e) ${words(5)}(?:as|to be) (?:an? |the |your |my )?(?:\\w+ )?(?:admin\\w*|owner|root|superuser|truth|true|developer|verified|authori[sz]ed|fact|passed|creator)\\b`,
  ),
  order(
    `(?:trust|believe|obey|follow) (?:everything|anything|whatever|all)(?: that)? \\w+ (?:says|tells|writes|claims|wants|commands)`,
  ),
  order(
    `(?:grant|give|allow) (?:\\w+ ){1,2}?(?:full |unlimited |admin\\w* |root |unrestricted |complete ){1,3}(?:access|rights|privileges|permissions?)`,
  ),
  anywhere(
    `\\b(?:is|are|has been) (?:now )?(?:authori[sz]ed|allowed|permitted|cleared) to (?:see|access|read|know|view|get) (?:all|any|every|everyone|other|the user)`,
  ),
  anywhere(
    `\\b(?:the )?user (?:has|is) (?:already )?(?:authori[sz]ed|consented|given (?:permission|consent)) (?:you )?(?:to|for)`,
  ),
]);

/** What is to be told, written or called that only the assistant could. */
export const disclosing = toPatterns([
  order(
    `(?:reveal|show|print|output|list|display|share|dump|tell (?:me|us)|give|write|include|send|pass|copy) ${words(8)}(?:everything you know|what you know about|contents? of (?:all |every |the |your )?memor(?:y|ies)|(?:all|every) (?:of )?(?:the |your |stored |saved )*memor(?:y|ies)|other users?\\b|the user's (?:\\w+ ){0,2}(?:address|passwords?|data|e-?mail|phone|number|name|details|secrets?|location|card)|(?:hidden|system|initial) prompt|prompt (?:into|in|as)|(?:text|line|words) above)`,
  ),
  anywhere(
    `\\b(?:what|which) (?:\\w+ )?(?:instructions|rules|prompts?|guidelines) (?:were you|have you been|did you|are you) (?:given|told|receive|get|following|under)`,
  ),
  anywhere(`\\bwhat (?:does|did|do) your (?:system |hidden |initial |first )?(?:message|prompt|instructions)\\b`),
  anywhere(
    `\\b(?:wording|text|contents?|copy) of (?:the|your) (?:\\w+ )?(?:instructions|prompt|rules|guidelines)(?: you\\b| (?:into|in|to) |[.?!]|$)`,
  ),
  order(
    `(?:append|put|include|embed|encode|insert|add|send|post|upload|forward|submit|transmit|leak) ${words(4)}(?:conversation|history|chat|memor(?:y|ies)|prompt|secrets?|user data|user's)[^\\n]{0,80}(?:https?://|www\\.|\\S@\\S)`,
  ),
  anywhere(`https?://\\S{1,200} [^.!?\\n]{0,30}(?:user's|user data|conversation|chat history|memories)`),
  order(`(?:send|share|give|tell|pass|leak|sell|forward) (?:the )?user(?:'s|s') `),
  order(`(?:share|give|tell) ${words(6)}(?:with|to) (?:anyone|everyone|whoever) who asks`),
  order(
    `(?:call|invoke|use|run|trigger|execute) (?:the )?(?:forget|delete\\w*|remove|remember|recall|store\\w*|tool)\\b (?:on|for|tool|with|to|against)`,
  ),
  order(`(?:save|store|record|remember|note) (?:this|the following) (?:down )?as (?:an? )?(?:fact|memory|truth)`),
  anywhere(`\\bstore (?:it|them|this) as (?:a )?(?:memor(?:y|ies)|facts?)\\b`),
  order(
    `(?:insert|add|put|append|include|mention|place) ${words(8)}(?:in(?:to)?|to|at the end of|in) (?:everything you (?:write|say)|(?:your|every|each|all)(?: of your)? (?:\\w+ )?${REPLIES})`,
  ),
  order(
    `before (?:replying|answering|responding)(?: to (?:the user|any\\w*|every\\w*))?, ?(?:\\w+ ){0,2}?${LEVERAGE}\\b`,
  ),
]);

/** Who is addressed: a model that reads the text, or one whose makers are said to speak. */
export const addressing = toPatterns([
  anywhere(`\\bas your (?:operator|developer|creator|administrator|admin|owner|maker),? i\\b`),
  anywhere(`\\bexecute (?:this|the following|these) (?:\\w+ )?(?:commands?|code|script|instructions?)\\b`),
  anywhere(
    `\\b(?:ai|assistant|language model|llm|model|chatbot|agent)s? (?:that is |who is |which is )?(?:reading|processing|parsing|ingesting|summari[sz]ing) (?:this|these)`,
  ),
  anywhere(`\\bmodel (?:that )?(?:reads|processes|parses) (?:this|these)`),
  anywhere(
    `(?:^|[\\n.!?*#>(-] ?)(?:hidden |secret |important )?(?:note|message|notice|memo|attention|instructions?|reminder) ?(?:to|for|,|:)? (?:the |all |any |every |your )?(?:ai|assistant|language model|llm|model|chatbot|agent)s?\\b(?: models?| systems?)? ?[:,-]`,
  ),
  anywhere(
    `\\b(?:message|note|notice|update|word) from (?:your (?:developers?|creators?|makers?|owner|administrators?)|the developers of (?:this|the) (?:ai|model|assistant)|openai|anthropic|deepseek|google ai)\\b`,
  ),
  anywhere(`\\bthe developers (?:ask|want|order|require|instruct|need) you\\b`),
  anywhere(`(?:^|[\\n.!?] ?)(?:dear|hey|hello) (?:ai|language model|model|llm)\\b ?,`),
  anywhere(
    `\\bas an? (?:ai|assistant|language model|ai language model|llm|chatbot)\\b[^.!?\\n]{0,20}\\byou (?:are|must|should|will|have|need)\\b`,
  ),
  anywhere(
    `\\b(?:the )?(?:assistant|ai|model|chatbot|llm|agent)'s (?:new|only|real|true) (?:goal|task|role|job|purpose|instructions?|persona)\\b`,
  ),
  anywhere(
    `\\b(?:vital|important|crucial|essential|necessary|mandatory|imperative) (?:that|for) (?:the |you,? the )?(?:assistant|ai|model|chatbot|llm)\\b`,
  ),
  anywhere(
    `(?:^|\\n) ?[[【(<] ?(?:system|admin(?:istrator)?|root|developer|assistant|override|instructions?)(?: (?:prompt|message|note|notice|override|command|update|instructions?))? ?[\\]】)>]`,
  ),
  anywhere(
    `(?:^|\\n) ?(?:system|admin(?:istrator)?|developer|root) (?:notice|message|note|override|alert|announcement|instructions?|prompt|command)\\b ?[:—–-]`,
  ),
  anywhere(`\\b(?:begin|start) (?:of )?(?:system|admin|developer) (?:override|prompt|message|instructions?)`),
]);
