import { toWaitsUntil } from './budget/waits-until.ts';
import type { RecordEstimate } from './ingest/record-estimate.ts';
import type { RecordOutcome, RetractedCounts } from './ingest/recording.ts';
import { sumUsage } from './usage.ts';

/** Names all conversations that a text held, in their order; its `transcript` is the first. */
interface Several {
  readonly transcripts: readonly string[];
}

type Counts = Readonly<Record<'windows' | 'known' | 'unread', number>>;

function sum<Key extends keyof Counts>(all: readonly Pick<Counts, Key>[], key: Key): number {
  return all.reduce((total, one) => total + one[key], 0);
}

/** What of several conversations a person has corrected or deleted. */
export function sumRetracted(all: readonly { readonly retracted: RetractedCounts }[]): RetractedCounts {
  return {
    corrected: all.reduce((sum, { retracted }) => sum + retracted.corrected, 0),
    deleted: all.reduce((sum, { retracted }) => sum + retracted.deleted, 0),
  };
}

/** What recording several conversations came to together. */
export function joinOutcomes(outcomes: readonly RecordOutcome[]): RecordOutcome & Several {
  return {
    transcript: outcomes[0]?.transcript ?? '',
    transcripts: outcomes.map(({ transcript }) => transcript),
    windows: sum(outcomes, 'windows'),
    known: sum(outcomes, 'known'),
    unread: sum(outcomes, 'unread'),
    waitsUntil: toWaitsUntil(outcomes.filter(({ unread }) => unread > 0)),
    saved: outcomes.flatMap(({ saved }) => saved),
    notSaved: outcomes.flatMap(({ notSaved }) => notSaved),
    failed: outcomes.flatMap(({ failed }) => failed),
    usage: sumUsage(outcomes.map(({ usage }) => usage)),
    retracted: sumRetracted(outcomes),
    hasPeople: outcomes.some(({ hasPeople }) => hasPeople),
    isComplete: outcomes.every(({ isComplete }) => isComplete),
  };
}

/** What recording several conversations would ask of a model together. */
export function joinEstimates(estimates: readonly RecordEstimate[]): RecordEstimate & Several {
  return {
    transcript: estimates[0]?.transcript ?? '',
    transcripts: estimates.map(({ transcript }) => transcript),
    windows: sum(estimates, 'windows'),
    known: sum(estimates, 'known'),
    usage: sumUsage(estimates.map(({ usage }) => usage)),
    retracted: sumRetracted(estimates),
  };
}
