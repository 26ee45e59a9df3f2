/** What kind of statement a sentence makes about a person. */
export const statementKinds = [
  'safety',
  'life',
  'health',
  'preference',
  'relation',
  'identity',
  'plan',
  'event',
  'feeling',
  'figure',
] as const;
/** One of {@link statementKinds}; `figure` is a number or a date, `life` an event that changes a life. */
export type StatementKind = (typeof statementKinds)[number];

/** The scale of importance: what stands at each point of it. */
export const anchor = {
  /** A greeting, thanks, an exclamation. */
  greeting: 1,
  /** A question, a compliment, an assistant's own words. */
  question: 2,
  /** A remark in passing. */
  passing: 3,
  /** A feeling or an opinion of the moment, a bare number. */
  feeling: 4,
  /** An ordinary plan or event. */
  ordinary: 5,
  /** A plan or an event with its date, a habit, a strong feeling. */
  dated: 6,
  /** A goal, work, study, home, a skill. */
  goal: 7,
  /** A lasting preference, a relation, health. */
  lasting: 8,
  /** A diagnosis, an allergy, a serious illness. */
  grave: 9,
  /** What changes a life, or endangers it. */
  life: 10,
} as const;

/** Who a clause is about: the speaker, somebody or a pet of the speaker's, another person, the listener, or a thing. */
export type Subject = 'self' | 'kin' | 'named' | 'you' | 'thing';

/** A clause, its grammar taken apart: who it is about, and what is said of them. */
export interface Clause {
  readonly subject: Subject;
  /** Denied as a fact (`do not eat`, `不吃`) or as an event (`did not eat`, `没吃`). */
  readonly denied: 'no' | 'fact' | 'event';
  /** What is said: from the main verb on, auxiliaries and adverbs taken out, lower case. */
  readonly said: string;
  /** Asked, or supposed (`if I had a dog`, `如果我有一条狗`): says little about how things are. */
  readonly mood: 'told' | 'asked' | 'supposed';
  /** When, as the verb tells it. */
  readonly tense: 'past' | 'present' | 'future' | 'would';
  /** Whether the sentence says on which day or in which year. */
  readonly isDated: boolean;
  /** Whether the sentence says that it is so again and again. */
  readonly isHabit: boolean;
}

/** One kind of statement: how what is said begins, of whom, and what looks the same but is not. */
export interface Rule {
  readonly kind: StatementKind;
  readonly importance: number;
  /** Matched at the start of {@link Clause.said}. */
  readonly said: RegExp;
  /** Who it may be about; the speaker, their people and others unless told otherwise. */
  readonly of?: readonly Subject[];
  readonly tense?: readonly Clause['tense'][];
  /** What begins the same way and means something else. */
  readonly unless?: RegExp;
  /** Importance when denied as a fact; 3 less, at least a remark, unless told otherwise. */
  readonly denied?: number;
  /** Whether a date makes it weigh one more. */
  readonly datable?: boolean;
  /** Whether it applies only with a date (`I'm hiking` tells little, `I'm hiking on Sunday` a plan), or only to habits. */
  readonly only?: 'dated' | 'habit';
}

/** What a clause came to under the rules. */
export interface Rated {
  readonly kind: StatementKind | undefined;
  readonly importance: number;
}

const ANYBODY: readonly Subject[] = ['self', 'kin', 'named'];

function applies(rule: Rule, clause: Clause): boolean {
  return (
    (rule.of ?? ANYBODY).includes(clause.subject) &&
    (rule.only !== 'dated' || clause.isDated) &&
    (rule.only !== 'habit' || clause.isHabit) &&
    (rule.tense === undefined || rule.tense.includes(clause.tense)) &&
    rule.said.test(clause.said) &&
    rule.unless?.test(clause.said) !== true
  );
}

function weigh(rule: Rule, clause: Clause): number {
  const full = rule.importance + (rule.datable === true && clause.isDated ? 1 : 0);
  const weaker = Math.max(anchor.passing, full - 3);
  if (clause.mood === 'supposed') return Math.min(anchor.feeling, weaker);
  const told = clause.denied === 'fact' ? (rule.denied ?? weaker) : clause.denied === 'event' ? weaker : full;
  return clause.subject === 'named' ? Math.max(anchor.passing, told - 2) : told;
}

/** Rates a clause by the strongest rule that applies; without one it is a remark, or small talk when about the listener. */
export function rateClause(clause: Clause, rules: readonly Rule[]): Rated {
  if (clause.mood === 'asked') return { kind: undefined, importance: anchor.question };
  const isAboutPeople = ANYBODY.includes(clause.subject);
  const plain: Rated = { kind: undefined, importance: isAboutPeople ? anchor.passing : anchor.question };
  return rules
    .filter((rule) => applies(rule, clause))
    .map((rule): Rated => ({ kind: rule.kind, importance: Math.min(anchor.life, weigh(rule, clause)) }))
    .reduce((best, rated) => (rated.importance > best.importance ? rated : best), plain);
}
