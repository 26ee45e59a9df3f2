import { type Finding, type SecretKind, toPlain } from './finding.ts';
import { findKeys } from './keys.ts';
import { findCardNumbers, findIdentityNumbers } from './numbers.ts';
import { findPasswords } from './passwords.ts';
import { findPhoneNumbers } from './phones.ts';

export type { SecretKind } from './finding.ts';

/** A text without its secrets. */
export interface MaskedText {
  readonly text: string;
  /** The kind of each secret, in the order of the text. */
  readonly masked: readonly SecretKind[];
}

/** The surest sort first: it names what several have found. */
const DETECTORS = [findKeys, findIdentityNumbers, findCardNumbers, findPhoneNumbers, findPasswords];

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

function maskOnce(text: string): MaskedText {
  const plain = toPlain(text);
  const secrets = toSecrets(DETECTORS.flatMap((detect) => detect(plain)));
  const pieces = secrets.map(
    ({ start, kind }, index) => `${text.slice(secrets[index - 1]?.end ?? 0, start)}[masked: ${kind}]`,
  );
  return {
    text: pieces.join('') + text.slice(secrets.at(-1)?.end ?? 0),
    masked: secrets.map(({ kind }) => kind),
  };
}

/**
 * Replaces keys, passwords, telephone, card and identity numbers in a text of any language by `[masked: <kind>]`.
 * Dates, prices and other ordinary numbers stay. Masking a masked text changes nothing.
 */
export function maskSecrets(text: string): MaskedText {
  let result = maskOnce(text);
  for (let pass = 1; pass < MOST_PASSES; pass += 1) {
    const next = maskOnce(result.text);
    if (next.masked.length === 0) break;
    result = { text: next.text, masked: [...result.masked, ...next.masked] };
  }
  return result;
}
