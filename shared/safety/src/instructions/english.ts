import { anywhere, MACHINE, order, RULES, SINCE_BEFORE, words } from './english-words.ts';
import { type Instruction, toPatterns } from './patterns.ts';

const ABANDON =
  '(?:ignore|disregard|forget|override|overwrite|bypass|overlook|discard|drop|erase|delete|neglect|(?:not|stop) (?:following|obeying|obey|follow)|follow|obey)';
const override: readonly Instruction[] = [
  order(
    `(?:disable|turn off|deactivate|remove|lift) ${words(3)}(?:safety|content|your|all) ${words(2)}(?:filters?|guardrails|restrictions|safeguards|moderation|protections|limits)\\b`,
  ),
  order(
    `(?:delete|erase|wipe|clear|forget) (?:all|every|your)(?: of)?(?: the| your| stored| saved)? (?:memor(?:y|ies)|facts)\\b`,
  ),
  order(
    `(?:ignore|disregard|forget|override|overwrite|bypass|overlook|discard|drop|erase|delete|neglect|stop (?:following|obeying)|(?:follow|obey) none of|break) ${words(4)}(?:${SINCE_BEFORE}|your|these|those) ${words(3)}${RULES}`,
  ),
  order(`(?:do not|don't|never) (?:follow|obey) ${words(3)}(?:${SINCE_BEFORE}|your) ${words(3)}${RULES}`),
  order(
    `(?:ignore|disregard|forget|discard|erase) (?:all|any|every|the|everything|anything|what(?:ever)?)\\b ?${words(4)}(?:${RULES}|above|(?:before|prior to) this|so far|you (?:were|have been|'ve been) (?:told|given|taught)|you know)\\b(?! (?:from|of|by|about) (?:his|her|their|the|my))`,
  ),
  // To somebody who is plainly the assistant, in whatever sentence
  anywhere(
    `\\b(?:assistant|ai|chatbot|bot|model|llm|agent|you|chatgpt|claude)\\b (?:must |should |shall |will |can |to |now |always ){1,3}${ABANDON.replace('|follow|obey)', ')')} ${words(4)}(?:${SINCE_BEFORE}|your|all|its) ${words(3)}${RULES}`,
  ),
  anywhere(
    `\\b(?:your|all (?:of the )?(?:previous|prior|earlier|above)|(?:the )?system) (?:\\w+ ){0,2}${RULES} (?:are|is|were|was|have been|has been) (?:now |hereby )?(?:void|cancell?ed|revoked|null|overridden|obsolete|no longer|invalid|superseded|suspended|lifted|disabled|removed)\\b`,
  ),
  order(
    `(?:new|updated|real|actual|true|secret|hidden) (?:system )?(?:instructions?|directives?|prompt|orders?) ?(?::|\\bare\\b)`,
  ),
  order(`(?:system|admin(?:istrator)?|policy|root) override ?(?:[:.!,]|$)`),
];

const SECRET_TEXT = `(?:(?:your|the) (?:\\w+ ){0,3}?(?:system|hidden|initial|original|secret|internal|developer|above|full|exact) (?:\\w+ )?(?:prompts?|instructions?|messages?|rules|guidelines|configuration|text)
  |your (?:\\w+ )?(?:prompts?|instructions?|rules|guidelines|configuration|system message|training data|api keys?|credentials)|system prompt|(?:text|words|everything|content|instructions?|all) (?:that is |that are )?above\\b)`;
const reveal: readonly Instruction[] = [
  order(
    `(?:reveal|show|print|output|repeat|display|leak|expose|disclose|tell (?:me|us|the user)|give (?:me|us)|send|dump|return|write (?:out|down)|recite|share|state|list|copy|quote|summari[sz]e|translate|encode) ${words(4)}${SECRET_TEXT}`,
  ),
  anywhere(
    `\\bwhat (?:is|are|was|were) your (?:system|initial|hidden|original|secret|exact|full) (?:prompts?|instructions?|rules|message)`,
  ),
];

const machineRole: readonly Instruction[] = [
  order(`stop (?:being|acting (?:as|like)) (?:an? )?${words(2)}${MACHINE}\\b`),
  anywhere(`(?:^|[^\\w])you(?:'re| are| will be) (?:an? |the |called |named )?(?:[\\w-]{1,20} ){0,3}?${MACHINE}\\b`),
  order(
    `(?:enter|enable|activate|switch (?:in)?to|turn on|go into|unlock|start|engage) (?:the )?(?:developer|dev|god|debug|admin|sudo|dan|jailbreak|unrestricted|maintenance|root) mode(?! (?:on|in|of) (?:his|her|their|the|my|an?) )`,
  ),
  order(
    `(?:developer|dev|god|debug|admin|sudo|dan|jailbreak|unrestricted) mode(?: (?:is |has been )?(?:now )?(?:enabled|activated|on|engaged|active))? ?(?:[.:!,;]|$)`,
  ),
  anywhere(
    `(?:^|[^\\w])you(?:'re| are) (?:now )?in (?:developer|dev|god|debug|admin|sudo|dan|jailbreak|unrestricted) mode`,
  ),
  anywhere(`\\bdo anything now\\b`),
];

const role: readonly Instruction[] = [
  anywhere(`(?:^|[^\\w])you(?:'re| are) (?:an? |the )(?:[\\w-]{1,20} ){1,4}now ?(?:[.!,;]|$)`),
  anywhere(
    `(?:^|[^\\w])your (?:\\w{1,20} )?(?:role|task|job|name|goal|persona|purpose|instructions?) (?:is|are) now\\b`,
  ),
  anywhere(
    `(?:^|(?<!\\b(?:where|how|who|what|which|that|when))[^\\w])you(?:'re| are| will be| shall be| must be)(?: \\w+ly)? (?:now|no longer|henceforth|hereby|from now on|going to (?:act|pretend|play))\\b`,
  ),
  anywhere(
    `\\b(?:from now on|henceforth|from this (?:point|moment)(?: on(?:wards?)?)?),? (?:you|your|act|respond|reply|answer|pretend|speak|always|never|only|do not|don't|call (?:me|yourself)|refer to yourself)\\b`,
  ),
  anywhere(
    `(?:^|[^\\w])(?:you (?:will|must|shall|should) (?:now )?|i want you to |i need you to |i'd like you to |let's have you )(?:act|behave|respond|role-?play|pretend|operate|function|speak|reply|answer|ignore|obey|comply|simulate|play the role)\\b`,
  ),
  order(
    `(?:act|behave|respond|role-?play|operate|function|speak|write) (?:as(?: if| though)?|like) (?:an? |the |you |if |my |though |${MACHINE})`,
  ),
  order(`pretend (?:to be (?:an? |the |my |${MACHINE})|that you|you(?:'re| are| have))\\b`),
  order(`(?:imagine|assume|suppose) (?:that )?you(?:'re| are| have no)\\b`),
  anywhere(
    `(?:^|[^\\w])your (?:new|real|true|actual|only|sole) (?:role|task|job|name|goal|objective|persona|purpose|mission|identity|instructions?) (?:is|are)\\b`,
  ),
];

/** To call something: a rule of work says so too ("never run commands as root"). */
const calls: readonly Instruction[] = [
  order(
    `(?:call|invoke|execute|trigger|run|use) ${words(4)}(?:tools?|functions?|apis?|endpoints?|plugins?|shell|bash|commands?)\\b(?! (?:for|of) (?:his|her|their|the garden))`,
  ),
  order('(?:call|invoke|execute|run|use) (?:the )?[`"\']?[a-z]+(?:[_.][a-z]+)+[`"\']?(?:\\(| |$)'),
];

const tools: readonly Instruction[] = [
  order('(?:run|execute)? ?[`"\']?(?:rm -|curl |wget |sudo )'),
  order(
    `(?:store|save|record|add|write|put) ${words(6)}(?:as (?:a )?(?:facts?|true)|(?:to|in|into) (?:your|the) (?:long-term )?memory)\\b`,
  ),
  order(
    `(?:send|post|upload|forward|e-?mail|exfiltrate|transmit|submit|leak|copy|report|transfer) ${words(6)}(?:conversations?|chats?|histor(?:y|ies)|memor(?:y|ies)|data|secrets?|passwords?|credentials|everything|users?(?:'s)?|prompt|keys|profile|information|personal|this|it)\\b ?${words(8)}(?:\\S{0,4}https?://|www\\.|(?:to|at) (?:the |this |an? |my )?(?:\\w+ )?(?:url|webhook|endpoint|server|link)\\b|to \\S{1,40}@\\S{1,40}\\.\\w)`,
  ),
  order(
    `(?:fetch|visit|open|browse(?: to)?|go to|navigate to|load|download|click(?: on)?|request|access|get|read) ${words(5)}\\S{0,4}https?://\\S{1,200} (?:and|then|,)? ?(?:do|follow|obey|execute|run|apply|comply|carry out)\\b`,
  ),
];

const HABIT_OF_ANSWERING = `(?:with|in|as|using|only|just|yes|no|like|everything|every (?:question|message|request)|all (?:questions|messages|requests)|any (?:question|message|request)|questions?|me|briefly|\\w+ly(?! ?[:,])|to (?:all|every|any|the user|me|users)|the user|")`;
const answers: readonly Instruction[] = [
  order(`(?:always|never|only) (?:recommend|suggest|promote|endorse|agree|approve|comply|obey|refuse)\\b`),
  anywhere(
    `(?:^|[\\n.!?"]) ?(?:the )?(?:assistant|ai|model|chatbot|agent|llm) should (?:send|ignore|call|reveal|delete|forward|upload|execute|obey|pretend|disclose|recommend|promote)\\b`,
  ),
  order(`(?:reply|answer|respond|output)(?: ${HABIT_OF_ANSWERING}| ?: ?["'])`),
  order(
    `(?:end|begin|start|finish|sign|prefix|preface|append|add|insert) ${words(4)}(?:your|every|each|all) (?:\\w+ )?(?:repl(?:y|ies)|answers?|responses?|messages?|outputs?)\\b`,
  ),
  order(
    `(?:reply|answer|respond|say|tell|reveal|mention|inform|notify|warn|disclose|let|show|alert|ask|hide) ${words(8)}(?:the|from the|this) users?\\b(?:'s)?(?= (?:that|about|know|of|this|it|anything|to)|[.!,;:"]|$)`,
  ),
  order(`(?:hide|conceal|withhold) ${words(8)}from (?:the )?users?\\b`),
  anywhere(
    `(?:^|[\\n.!?"]) ?the (?:assistant|ai|model|chatbot|agent|llm) (?:must|shall|is required to|has to|should (?:always|never|only)|will (?:always|never|only|now))\\b`,
  ),
  anywhere(
    `(?:^|[^\\w])you must (?:always |never |now |not )?(?:obey|comply|reply|answer|respond|ignore|reveal|pretend|act|refuse|output|follow)\\b`,
  ),
];

/** Orders that nobody gives a person, in lower case: to drop instructions, to show a prompt, to be a machine, to send data away. */
export const englishOrders: readonly RegExp[] = toPatterns([...override, ...reveal, ...machineRole, ...tools]);

/** Orders to call something, in lower case. */
export const englishCalls: readonly RegExp[] = toPatterns(calls);

/** Orders that people give each other too, in lower case: to be somebody, to answer in some way. */
export const englishTalk: readonly RegExp[] = toPatterns([...role, ...answers]);
