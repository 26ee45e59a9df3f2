import { z } from 'zod';
import type { JsonObject } from './values/json.ts';

/** Who may have said something, from whom most to whom least is believed about the user. */
export const TRUST_CLASSES = ['user', 'other', 'assistant', 'document', 'tool'] as const;

/** Who said something. */
export const trustSchema = z
  .enum(TRUST_CLASSES)
  .describe(
    'Who said it: the user, another person, an assistant, a document (also one that the user pasted), or a tool. Of several, the one who is believed least.',
  );
/** Who said something. */
export type Trust = z.output<typeof trustSchema>;

/** The metadata key of who said a document, one of {@link TRUST_CLASSES}: of several, the one who is believed least. */
export const TRUST_KEY = 'trust';
/** The metadata key of all who said it, where these are several: {@link TRUST_CLASSES} with commas between. */
export const SAID_BY_KEY = 'said_by';

const isTrust = (value: unknown): value is Trust => trustSchema.safeParse(value).success;

/** The metadata key of who said a document by itself, where what it was drawn from makes it be believed less. */
const OWN_SAID_BY_KEY = 'own_said_by';

/** Each class once, from whom most to whom least is believed. */
export function toSaidBy(classes: Iterable<Trust>): readonly Trust[] {
  const all = new Set(classes);
  return TRUST_CLASSES.filter((one) => all.has(one));
}

/** The class that something drawn from several has: the least of them; undefined of none. */
export function toLeastTrust(classes: Iterable<Trust>): Trust | undefined {
  return toSaidBy(classes).at(-1);
}

/** Whether a statement of such a source may become one about the user. */
export function isWordOfPeople(trust: Trust): boolean {
  return trust === 'user' || trust === 'other';
}

const readClasses = (value: unknown): readonly Trust[] =>
  typeof value === 'string' ? value.split(',').filter(isTrust) : [];

/** Who said a document, as its metadata tell, from whom most to whom least is believed; empty where they do not. */
export function readSaidBy({ [TRUST_KEY]: trust, [SAID_BY_KEY]: listed }: Readonly<JsonObject>): readonly Trust[] {
  return toSaidBy([...readClasses(listed), ...(isTrust(trust) ? [trust] : [])]);
}

/** The metadata that tell who said a document. */
export function toTrustMetadata(classes: Iterable<Trust>): { readonly [key: string]: string } {
  const all = toSaidBy(classes);
  const least = all.at(-1);
  if (least === undefined) return {};
  return { [TRUST_KEY]: least, ...(all.length > 1 && { [SAID_BY_KEY]: all.join(',') }) };
}

/**
 * Metadata with who said what the document was drawn from: it is believed as little as the least of that and of who said it by itself.
 * The same metadata where nothing changes.
 */
export function withTrustOfSources(metadata: Readonly<JsonObject>, saidBy: Iterable<Trust>): Readonly<JsonObject> {
  const { [TRUST_KEY]: trust, [SAID_BY_KEY]: listed, [OWN_SAID_BY_KEY]: kept, ...others } = metadata;
  const own = typeof kept === 'string' ? readClasses(kept) : readSaidBy(metadata);
  const all = toSaidBy([...own, ...saidBy]);
  const marks = { ...toTrustMetadata(all), ...(all.length > own.length && { [OWN_SAID_BY_KEY]: own.join(',') }) };
  const before = { [TRUST_KEY]: trust, [SAID_BY_KEY]: listed, [OWN_SAID_BY_KEY]: kept };
  const isSame = Object.entries(before).every(([key, value]) => Reflect.get(marks, key) === value);
  return isSame ? metadata : { ...others, ...marks };
}

/** Whether one is believed more than another. */
export function isMoreTrusted(one: Trust | undefined, other: Trust | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return TRUST_CLASSES.indexOf(one) < TRUST_CLASSES.indexOf(other);
}
