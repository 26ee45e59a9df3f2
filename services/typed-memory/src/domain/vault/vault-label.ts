const MAX_LENGTH = 200;
/** Shorter words say little, even of a password. */
const LEAST_TELLING = 4;

/** Longer texts cannot stand in a label, and normalising takes more than linear time over the marks on a letter; in UTF-16 code units. */
const MAX_COMPARED = 1_000;

const toPlain = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Words of a secret that may be the secret: with digits or signs in them, or in capitals after small letters. */
function tellingWords(secret: string): readonly string[] {
  return secret
    .split(/[\s,，;；。:：]+/u)
    .filter((word) => word.length >= LEAST_TELLING && word.length <= MAX_COMPARED)
    .map((word) => word.normalize('NFKC'))
    .filter((word) => /[^\p{L}]/u.test(word) || /\p{Ll}\p{Lu}/u.test(word));
}

const NEUTRAL = /^Vault item of \d{4}-\d\d-\d\d$/u;

/** Whether a label tells nothing of its item but the day on which it was stored. */
export const isNeutralLabel = (label: string): boolean => NEUTRAL.test(label);

/** What a vault item is listed and found by: its context, unless that tells of the secret; else its date. */
export function toVaultLabel(secret: string, context: string | undefined, now: Date): string {
  const neutral = `Vault item of ${now.toISOString().slice(0, 10)}`;
  const label = context?.replace(/\s+/gu, ' ').trim().slice(0, MAX_LENGTH) ?? '';
  if (label === '') return neutral;
  const plain = toPlain(label);
  const isWhole = secret.length <= MAX_COMPARED && plain.includes(toPlain(secret).trim());
  const tells = isWhole || tellingWords(secret).some((word) => plain.includes(toPlain(word)));
  return tells ? neutral : label;
}
