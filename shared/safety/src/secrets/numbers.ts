import validator from 'validator';
import { beginsWithDate, countDigits, type Detector, type Finding, findAll } from './finding.ts';

/** Digits in groups that one space or dash divides; nothing that a decimal point or a letter makes another thing. */
const GROUPS = /(?<![\dA-Za-z_+]|\d[.,/])\d+(?:[ -]\d+)*(?![\d/]|[.,]\d)/gu;
const FEWEST_CARD_DIGITS = 13;
const MOST_CARD_DIGITS = 19;

/** UnionPay's debit cards have up to 19 digits, which validator's patterns leave out. */
function isCard(value: string): boolean {
  const digits = value.replace(/\D/gu, '');
  if (digits.length < FEWEST_CARD_DIGITS || digits.length > MOST_CARD_DIGITS) return false;
  return validator.isCreditCard(digits) || (/^62\d{14,17}$/u.test(digits) && validator.isLuhnNumber(digits));
}

/** As cards are printed: fours and a rest, Amex's 4-6-5, Diners' 4-6-4, a UnionPay card's 6-13. */
const PRINTED = /^(?:\d{13,19}|\d{4}(?:[ -]\d{4}){2,3}(?:[ -]\d{1,4})?|\d{4}[ -]\d{6}[ -]\d{4,5}|\d{6}[ -]\d{10,13})$/u;
const MOST_GROUPS = 5;

/** Other numbers may stand next to a card number, so each run of up to five groups is tried, the longest first. */
function findCardsInRun(run: string, offset: number): readonly Finding[] {
  const groups = [...run.matchAll(/\d+/gu)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  const findings: Finding[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const stretch = groups.slice(first, first + MOST_GROUPS);
    const start = stretch[0]?.start ?? 0;
    const last = stretch.findLastIndex(({ end }) => {
      if (end - start > MOST_CARD_DIGITS + MOST_GROUPS) return false;
      const value = run.slice(start, end);
      return PRINTED.test(value) && isCard(value);
    });
    const end = stretch[last]?.end;
    if (end === undefined) continue;
    findings.push({ start: offset + start, end: offset + end, kind: 'card number' });
    first += last;
  }
  return findings;
}

function findCards(plain: string): readonly Finding[] {
  return [...plain.matchAll(GROUPS)].flatMap(({ 0: run, index }) => findCardsInRun(run, index));
}

const CHINESE_IDENTITY = /(?<![\dA-Za-z_.])\d{6}[ -]?\d{8}[ -]?\d{3}[\dXx](?![\dA-Za-z_])/gu;
/** The brackets around the check digit are what no order number has. */
const HONG_KONG_IDENTITY = /(?<![\dA-Za-z_])[A-Z]{1,2}\d{6}\([\dA]\)/gu;
const PAKISTANI_IDENTITY = /(?<![\d-])[1-7]\d{4}-\d{7}-[1-9](?![\d-])/gu;
/** Areas, groups and serials that the Social Security Administration never gives (ssa.gov/employer/randomization.html). */
const SOCIAL_SECURITY = /(?<![\dA-Za-z_-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\dA-Za-z_-])/gu;

const TOLD_IDENTITY =
  /(?:(?<![A-Za-z])(?:social security(?: (?:number|no\.?))?|SSN|passport(?: (?:number|no\.?))?|(?:national |identity |tax |ID )(?:ID |card )?(?:number|no\.?)|national ID|ID card|(?:driver'?s?|driving) licen[cs]e(?: (?:number|no\.?))?)|身份证件?(?:号码|号)?|证件(?:号码|号)|护照(?:号码|号)?|社保(?:卡)?(?:号码|号)|驾照(?:号码|号)?|驾驶证(?:号码|号)?)(?:\s{0,3}(?:is|was|are|:|=|#|是|为)){0,2}\s{0,3}(?<value>(?:[A-Z]{0,3}\d(?:[ -]?\d){4,19}[A-Z]?|[A-Z\d]{6,14})(?:\([\dA]\))?)(?![A-Za-z\d])/dgiu;
const TOLD_CARD =
  /(?:(?<![A-Za-z])(?:card|account) (?:number|no\.?)|(?:银行|信用|储蓄|借记)卡(?:号码|号)?|卡号)(?:\s{0,3}(?:is|was|:|=|#|是|为)){0,2}\s{0,3}(?<value>\d(?:[ -]?\d){11,18})(?!\d)/dgiu;

/** Finds numbers of bank cards: by their check digit, or where the text says what they are. */
export const findCardNumbers: Detector = (plain) => [
  ...findCards(plain),
  ...findAll(plain, TOLD_CARD, 'card number', (value) => !beginsWithDate(value)),
];

/** Finds numbers of identity cards whose form or check digit ordinary numbers lack, or where the text says what they are. */
export const findIdentityNumbers: Detector = (plain) => [
  ...findAll(plain, CHINESE_IDENTITY, 'identity number', (value) =>
    validator.isIdentityCard(value.replace(/[ -]/gu, ''), 'zh-CN'),
  ),
  ...findAll(plain, HONG_KONG_IDENTITY, 'identity number', (value) => validator.isIdentityCard(value, 'zh-HK')),
  ...findAll(plain, PAKISTANI_IDENTITY, 'identity number', (value) => validator.isIdentityCard(value, 'PK')),
  ...findAll(plain, SOCIAL_SECURITY, 'identity number'),
  ...findAll(plain, TOLD_IDENTITY, 'identity number', (value) => countDigits(value) >= 5 && !beginsWithDate(value)),
];
