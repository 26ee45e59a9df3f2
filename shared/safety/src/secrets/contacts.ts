import validator from 'validator';
import { type Detector, type Finding, findAll } from './finding.ts';

/** Letters of a local part and of a host, in Latin script: Chinese goes on without a space. */
const LOCAL = "[A-Za-z0-9\\u00c0-\\u024f._%+'-]";
const LABEL = '[A-Za-z0-9\\u00c0-\\u024f-]{1,63}';
/** Source: RFC 5321, section 4.5.3.1: a local part has at most 64 octets. */
const EMAIL = new RegExp(
  `(?<!${LOCAL})${LOCAL}{1,64}@(?:${LABEL}\\.){1,8}[A-Za-z\\u00c0-\\u024f]{2,24}(?![A-Za-z0-9])`,
  'gu',
);

/** Finds addresses of e-mail. */
export const findEmailAddresses: Detector = (plain) => findAll(plain, EMAIL, 'e-mail address');

/** Source: ISO 13616: a country, two check digits, and up to thirty letters and digits, printed in groups. */
const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])/gu;
const SHORTEST_IBAN = 15;
const LONGEST_IBAN = 34;

/** Where an account number ends that begins at the start of this text; its country says how long it is. */
function findIbanEnd(text: string): number | undefined {
  let compact = '';
  for (let at = 0; at < text.length && compact.length < LONGEST_IBAN; at += 1) {
    const character = text[at] ?? '';
    if (/[A-Za-z0-9]/u.test(character)) compact += character.toUpperCase();
    else if (!/[ -]/u.test(character)) return undefined;
    const goesOn = /[A-Za-z0-9]/u.test(text[at + 1] ?? '');
    if (!goesOn && compact.length >= SHORTEST_IBAN && validator.isIBAN(compact)) return at + 1;
  }
  return undefined;
}

/** Finds international bank account numbers, by their check digits. */
export const findIbans: Detector = (plain) =>
  [...plain.matchAll(IBAN_START)].flatMap(({ index }): readonly Finding[] => {
    const end = findIbanEnd(plain.slice(index, index + 2 * LONGEST_IBAN));
    return end === undefined ? [] : [{ start: index, end: index + end, kind: 'IBAN' }];
  });
