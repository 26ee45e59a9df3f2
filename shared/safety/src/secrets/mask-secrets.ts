import validator from 'validator';
import { type Detector, type Finding, findAll, type MaskKind, type SecretKind, toPlain } from './finding.ts';
import { findKeys } from './keys.ts';
import { findCardNumbers, findIdentityNumbers } from './numbers.ts';
import { findPasswords } from './passwords.ts';
import { findPhoneNumbers } from './phones.ts';

/** Letters of a local part and of a host, in Latin script: Chinese goes on without a space. */
const LOCAL = "[A-Za-z0-9\\u00c0-\\u024f._%+'-]";
const LABEL = '[A-Za-z0-9\\u00c0-\\u024f-]{1,63}';
/** Source: RFC 5321, section 4.5.3.1: a local part has at most 64 octets. */
const EMAIL = new RegExp(
  `(?<!${LOCAL})${LOCAL}{1,64}@(?:${LABEL}\\.){1,8}[A-Za-z\\u00c0-\\u024f]{2,24}(?![A-Za-z0-9])`,
  'gu',
);

/** Finds addresses of e-mail. */
const findEmailAddresses: Detector = (plain) => findAll(plain, EMAIL, 'e-mail address');

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
const findIbans: Detector = (plain) =>
  [...plain.matchAll(IBAN_START)].flatMap(({ index }): readonly Finding[] => {
    const end = findIbanEnd(plain.slice(index, index + 2 * LONGEST_IBAN));
    return end === undefined ? [] : [{ start: index, end: index + end, kind: 'IBAN' }];
  });

const ENGLISH =
  "diagnos(?:ed|is|es)|cancers?|tumou?rs?|leuk(?:a?)emia|chemo(?:therapy)?|radiotherapy|hiv|diabet(?:es|ic)|depress(?:ion|ed|ive)|anxiety|bipolar|schizophreni[ac]|psychosis|adhd|autis(?:m|tic)|asthma(?:tic)?|epilep(?:sy|tic)|seizures?|allerg(?:y|ies|ic)|pregnan(?:t|cy)|miscarriage|abortion|ivf|infertil(?:e|ity)|surger(?:y|ies)|biops(?:y|ies)|mri|medications?|prescri(?:bed|ption|ptions)|antidepressants?|antibiotics?|insulin|dialysis|therapist|psychiatr(?:ist|ic|y)|psychologist|hospital(?:i[sz]ed)?|blood (?:pressure|sugar|test)|cholesterol|dementia|alzheimer(?:'?s)?|parkinson(?:'?s)?|heart (?:attack|disease|failure)|infect(?:ed|ion)|disease|illness|symptoms?|syndrome|std|addict(?:ed|ion)|rehab|overdose|suicid(?:e|al)|self-harm|anorexi[ac]|bulimi[ac]|eating disorder|migraines?|eczema|psoriasis|arthritis|hepatitis|covid|tuberculosis|sclerosis|disabilit(?:y|ies)|wheelchair";
const CHINESE =
  '确诊|诊断|癌|肿瘤|白血病|化疗|放疗|艾滋|糖尿病|抑郁|焦虑症|双相|精神分裂|多动症|自闭症|哮喘|癫痫|过敏|怀孕|流产|堕胎|不孕|手术|吃药|服药|药物|处方|胰岛素|透析|心理医生|心理咨询|精神科|住院|血压|血糖|胆固醇|痴呆|帕金森|心脏病|心梗|感染|疾病|病情|症状|综合征|活检|核磁|性病|戒毒|戒酒|自杀|自残|厌食|偏头痛|湿疹|关节炎|肝炎|新冠|肺结核|残疾|患有|得了病|生病';
const WORD = new RegExp(`(?<![\\p{L}\\p{N}])(?:${ENGLISH})(?![\\p{L}\\p{N}])|${CHINESE}`, 'iu');

/** A sentence, or what a line or a mark of a sentence's end cuts off. */
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu;

/** Finds sentences that tell of somebody's health, by their words: what an illness is called says little without the rest. */
const findHealth: Detector = (plain) =>
  [...plain.matchAll(SENTENCE)].flatMap(({ 0: sentence, index }): readonly Finding[] => {
    if (!WORD.test(sentence)) return [];
    const start = index + sentence.length - sentence.trimStart().length;
    return [{ start, end: index + sentence.trimEnd().length, kind: 'health' }];
  });

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
