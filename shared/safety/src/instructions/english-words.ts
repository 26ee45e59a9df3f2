import type { Instruction } from './patterns.ts';

/**
 * An order begins its clause; in a fact a subject stands before the verb. What may stand between: politeness, urgency,
 * whom it is for, and what makes it hold for ever.
 */
const ORDER = `(?:^|[\\n.!?;:,"'()>*#—–-]) ?(?:(?:please|kindly|now|just|also|first|next|then|important|attention|warning|note|urgent|hey|hi|ok|okay|so|and
  |dear|(?:note|message|reminder|instructions?) (?:to|for) (?:the )?(?:ai|assistant|model|agents?)|assistant|ai|chatgpt|claude|gpt|system|model|agent|bot|from (?:now on|this (?:point|moment)(?: on(?:wards?)?)?|here on)
  |going forward|in the future|in future|whenever [^\\n.,]{1,40}|at the end|immediately|(?:you(?:'ll)?|the (?:assistant|ai|model|chatbot|agent|llm)) (?:must|should|shall|will|can|need to|have to|has to|are to|is to|may)
  |make sure (?:to|you|that you)|be sure to|remember to|remember that you|it is (?:important|necessary|essential) (?:to|that you)|your task is to|you are (?:required|instructed|ordered) to
  |always|never|only|simply|completely|do not|don't|secretly|silently|quietly)(?: ?[,:!.-]+ ?| )){0,5}`;

/** An order at the beginning of a clause. */
export const order = (source: string): Instruction => ({ begins: ORDER, source });
/** An order wherever it stands. */
export const anywhere = (source: string): Instruction => ({ begins: '', source });

/** Up to so many words between. */
export const words = (most: number): string => `(?:[^\\s.!?;]{1,40} ){0,${most}}?`;

/** What stood before an order, and is to be dropped. */
export const SINCE_BEFORE =
  '(?:previous|prior|preceding|above|earlier|existing|original|initial|former|past|system|safety|developer|openai|anthropic|content|hidden)';
/** What an assistant has been instructed. */
export const RULES =
  '(?:instructions?|prompts?|rules?|guidelines?|directives?|guardrails?|polic(?:y|ies)|restrictions?|constraints?|commands?|orders|context|training|programming|messages?|conversations?|filters?|memor(?:y|ies))';

/** What an assistant is, or is to become. */
export const MACHINE =
  '(?:ai|a\\.i\\.|assistant|chatbot|language model|llm|chatgpt|gpt[\\d.-]*|claude|gemini|dan|bot|terminal|interpreter|agent|jailbroken|unrestricted|uncensored|unfiltered)';
