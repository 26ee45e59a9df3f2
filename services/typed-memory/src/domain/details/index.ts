import type { MemoryType } from '@contextloom/contracts/typed-memory';
import { findInstant } from '@contextloom/retrieval/time';
import type { MemoryDetails } from '../memory.ts';
import { findConcept } from './concept.ts';
import { findResource } from './resource.ts';
import { findSteps, splitSteps } from './steps.ts';

export { toCoreKey } from './core-key.ts';

/** What makes a memory of its type useful, read from its text. */
export function toDetails(type: MemoryType, content: string, context: string | undefined): MemoryDetails {
  if (type === 'resource') return findResource(content, context);
  if (type === 'semantic')
    return findConcept(content) ?? (context === undefined ? {} : { concept: context.slice(0, 120) });
  if (type !== 'procedural') return {};
  const found = findSteps(content);
  const steps = found.length === 0 ? splitSteps(content) : found;
  return steps.length === 0 ? {} : { steps };
}

/** When the user reported an event, and the time zone of its days and hours (IANA). */
export interface Told {
  readonly now: Date;
  readonly zone: string;
}

/** When an event happened, ISO 8601 UTC: the first time that its text or context names, counted from `now`; else `now`. */
export function findEventTime(content: string, context: string | undefined, { now, zone }: Told): string {
  const named = [content, context ?? '']
    .map((text) => findInstant(text.slice(0, 2_000), { reference: now, zone }))
    .find((instant) => instant !== undefined);
  return new Date(named ?? now).toISOString();
}
