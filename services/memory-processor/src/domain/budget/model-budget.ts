import type { BudgetAnswer } from '@contextloom/contracts';
import type { Usage } from '../extractor.ts';
import { type Hours, isWithin, toFirstTime, toLocalHour } from './hours.ts';

/** What a day may take at most, and in which hours the model may be asked. */
export interface BudgetLimits {
  /** Tokens sent and received. */
  readonly tokens?: number | undefined;
  /** US dollars. */
  readonly dollars?: number | undefined;
  readonly hours?: Hours | undefined;
}

/** What the model took on a day. */
export interface DayUse {
  readonly tokens: number;
  readonly dollars: number;
}

/** Counts what the model takes, day by day, for all processes that share a database. */
export interface ModelUse {
  readonly add: (day: string, usage: Usage, dollars: number) => Promise<void>;
  readonly of: (day: string) => Promise<DayUse>;
}

/** Why the model is not asked now, and from when on it may be. */
export interface Refusal {
  readonly reason: string;
  readonly until: Date;
}

/** Bounds what a model is asked for. All methods reject with `ContextloomError` when it cannot be told what was used. */
export interface ModelBudget {
  /** Undefined while the model may be asked. */
  readonly refuse: () => Promise<Refusal | undefined>;
  /** Counts what an answer took. */
  readonly count: (usage: Usage) => Promise<void>;
  /** How much of today is used, as answers show it. */
  readonly report: () => Promise<Omit<BudgetAnswer, 'waiting_jobs'>>;
}

/** What a budget is made of. */
export interface ModelBudgetOptions {
  readonly limits: BudgetLimits;
  readonly use: ModelUse;
  readonly price: (usage: Usage) => { readonly usd?: number };
  readonly clock: () => Date;
  /** Whose days and hours they are. */
  readonly zone: string;
}

const thousands = (count: number): string => count.toLocaleString('en-US');
const toDollars = (usd: number): number => Math.round(usd * 1_000_000) / 1_000_000;

/** The limit that a day has reached, in words. */
function toReached({ tokens, dollars }: BudgetLimits, used: DayUse): string | undefined {
  if (tokens !== undefined && used.tokens >= tokens) return `${thousands(tokens)} tokens a day`;
  return dollars !== undefined && used.dollars >= dollars ? `$${dollars} a day` : undefined;
}

/** Builds a budget. */
export function createModelBudget({ limits, use, price, clock, zone }: ModelBudgetOptions): ModelBudget {
  const { hours } = limits;
  const refuse = async (): Promise<Refusal | undefined> => {
    const now = clock();
    const { day, hour } = toLocalHour(now, zone);
    const reached = toReached(limits, await use.of(day));
    if (reached !== undefined) {
      const until = toFirstTime(now, zone, (time) => time.day !== day && isWithin(time.hour, hours));
      return { reason: `to be read: the budget of ${reached} is used up`, until };
    }
    if (isWithin(hour, hours)) return undefined;
    const reason = `to be read: the model is asked from ${hours?.from} to ${hours?.to} o'clock (${zone})`;
    return { reason, until: toFirstTime(now, zone, (time) => isWithin(time.hour, hours)) };
  };
  return {
    refuse,
    count: (usage) => use.add(toLocalHour(clock(), zone).day, usage, price(usage).usd ?? 0),
    report: async () => {
      const { day } = toLocalHour(clock(), zone);
      const [used, refusal] = [await use.of(day), await refuse()];
      return {
        day,
        tokens_used: used.tokens,
        ...(limits.tokens !== undefined && { tokens: limits.tokens }),
        ...(limits.dollars !== undefined && { dollars_used: toDollars(used.dollars), dollars: limits.dollars }),
        ...(hours !== undefined && { hours: `${hours.from}-${hours.to}` }),
        ...(refusal !== undefined && { next_at: refusal.until.toISOString() }),
      };
    },
  };
}
