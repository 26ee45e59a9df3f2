import { findEmailAddresses, findIbans } from './contacts.ts';
import { type Detector, type Finding, type MaskKind, type SecretKind, toPlain } from './finding.ts';
import { findHealth } from './health.ts';
import { findKeys } from './keys.ts';
import { findCardNumbers, findIdentityNumbers } from './numbers.ts';
import { findPasswords } from './passwords.ts';
import { findPhoneNumbers } from './phones.ts';

export type { MaskKind, SecretKind } from './finding.ts';

/** A text without its secrets. */
export interface MaskedText {
  readonly text: string;
  /** The kind of each secret, in the order of the text. */
  readonly masked: readonly MaskKind[];
}

/** The surest sort first: it names what several have found. */
const DETECTORS: Readonly<Record<Exclude<MaskKind, 'expression'>, Detector>> = {
  health: findHealth,
  key: findKeys,
  IBAN: findIbans,
  'identity number': findIdentityNumbers,
  'card number': findCardNumbers,
  'phone number': findPhoneNumbers,
  'e-mail address': findEmailAddresses,
  password: findPasswords,
};

/** The kinds that can be masked, but for expressions of a user's own. */
export const maskKinds = Object.keys(DETECTORS) as (keyof typeof DETECTORS)[];

const SECRETS: readonly SecretKind[] = ['key', 'identity number', 'card number', 'phone number', 'password'];

/** Masking may bare a further secret, seldom more than one; the limit keeps the time linear whatever the text. */
const MOST_PASSES = 8;

/** What overlaps is one secret: half a secret left standing is worse than a word too many masked. */
function toSecrets(findings: readonly Finding[]): readonly Finding[] {
  const ranked = findings.map((finding, rank) => ({ ...finding, rank })).sort((a, b) => a.start - b.start);
  const secrets: (Finding & { readonly rank: number })[] = [];
  for (const finding of ranked) {
    const last = secrets.at(-1);
    if (last === undefined || finding.start >= last.end) {
      secrets.push(finding);
      continue;
    }
    const { kind, rank } = finding.rank < last.rank ? finding : last;
    secrets[secrets.length - 1] = { start: last.start, end: Math.max(last.end, finding.end), kind, rank };
  }
  return secrets;
}

/** Writes the mark of its kind in the place of each finding. */
export function replaceFindings(text: string, findings: readonly Finding[]): MaskedText {
  const secrets = toSecrets(findings);
  const pieces = secrets.map(
    ({ start, kind }, index) => `${text.slice(secrets[index - 1]?.end ?? 0, start)}[masked: ${kind}]`,
  );
  return {
    text: pieces.join('') + text.slice(secrets.at(-1)?.end ?? 0),
    masked: secrets.map(({ kind }) => kind),
  };
}

function maskOnce(text: string, detectors: readonly Detector[]): MaskedText {
  const plain = toPlain(text);
  return replaceFindings(
    text,
    detectors.flatMap((detect) => detect(plain)),
  );
}

/** Builds the mask of some kinds, as {@link maskSecrets} is that of secrets. */
export function createKindMask(kinds: readonly (keyof typeof DETECTORS)[]): (text: string) => MaskedText {
  const detectors = maskKinds.filter((kind) => kinds.includes(kind)).map((kind) => DETECTORS[kind]);
  return (text) => {
    let result = maskOnce(text, detectors);
    for (let pass = 1; pass < MOST_PASSES; pass += 1) {
      const next = maskOnce(result.text, detectors);
      if (next.masked.length === 0) break;
      result = { text: next.text, masked: [...result.masked, ...next.masked] };
    }
    return result;
  };
}

/**
 * Replaces keys, passwords, telephone, card and identity numbers in a text of any language by `[masked: <kind>]`.
 * Dates, prices and other ordinary numbers stay. Masking a masked text changes nothing.
 */
export const maskSecrets = createKindMask(SECRETS);
