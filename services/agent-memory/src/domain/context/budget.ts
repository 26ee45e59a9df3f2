import type { SectionName } from '@contextloom/contracts/agent-memory';

/** The share of the budget that each section is sure of. */
export const SHARES: Readonly<Record<SectionName, number>> = {
  persona: 0.2,
  owner: 0.1,
  tools: 0.1,
  daily: 0.3,
  long_term: 0.15,
  hits: 0.15,
};

/** Who gets what others do not need, first. */
const PRIORITY: readonly SectionName[] = ['persona', 'owner', 'daily', 'hits', 'long_term', 'tools'];

/** A line or an entry that is taken whole or left out. */
export interface Piece {
  readonly text: string;
  readonly id?: string;
  /** The day of an entry. */
  readonly date?: string;
  /** What it says where it stands alone; undefined for what only orders others, such as a heading. */
  readonly line?: string | undefined;
}

/** What could stand in a section. */
export interface Draft {
  readonly name: SectionName;
  readonly title: string;
  readonly files: readonly string[];
  /** Most wanted first. */
  readonly pieces: readonly Piece[];
  /** Files of it that cannot be read, and why. */
  readonly unreadable: readonly { readonly file: string; readonly message: string }[];
  /** How many hits of a search are not sure enough to be included, and the best relevance of them. */
  readonly withheld?: { readonly count: number; readonly best_relevance: number } | undefined;
}

/** Shares a budget out by what each section needs (tokens): its own share at most, then what is left by priority. */
export function shareOut(needs: ReadonlyMap<SectionName, number>, budget: number): ReadonlyMap<SectionName, number> {
  const limits = new Map(
    [...needs].map(([name, need]) => [name, Math.min(need, Math.floor(budget * SHARES[name]))] as const),
  );
  let spare = budget - [...limits.values()].reduce((sum, limit) => sum + limit, 0);
  for (const name of PRIORITY) {
    const limit = limits.get(name) ?? 0;
    const more = Math.min(spare, (needs.get(name) ?? 0) - limit);
    if (more <= 0) continue;
    limits.set(name, limit + more);
    spare -= more;
  }
  return limits;
}
