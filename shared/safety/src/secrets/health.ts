import type { Detector, Finding } from './finding.ts';

const ENGLISH =
  "diagnos(?:ed|is|es)|cancers?|tumou?rs?|leuk(?:a?)emia|chemo(?:therapy)?|radiotherapy|hiv|diabet(?:es|ic)|depress(?:ion|ed|ive)|anxiety|bipolar|schizophreni[ac]|psychosis|adhd|autis(?:m|tic)|asthma(?:tic)?|epilep(?:sy|tic)|seizures?|allerg(?:y|ies|ic)|pregnan(?:t|cy)|miscarriage|abortion|ivf|infertil(?:e|ity)|surger(?:y|ies)|biops(?:y|ies)|mri|medications?|prescri(?:bed|ption|ptions)|antidepressants?|antibiotics?|insulin|dialysis|therapist|psychiatr(?:ist|ic|y)|psychologist|hospital(?:i[sz]ed)?|blood (?:pressure|sugar|test)|cholesterol|dementia|alzheimer(?:'?s)?|parkinson(?:'?s)?|heart (?:attack|disease|failure)|infect(?:ed|ion)|disease|illness|symptoms?|syndrome|std|addict(?:ed|ion)|rehab|overdose|suicid(?:e|al)|self-harm|anorexi[ac]|bulimi[ac]|eating disorder|migraines?|eczema|psoriasis|arthritis|hepatitis|covid|tuberculosis|sclerosis|disabilit(?:y|ies)|wheelchair";
const CHINESE =
  '确诊|诊断|癌|肿瘤|白血病|化疗|放疗|艾滋|糖尿病|抑郁|焦虑症|双相|精神分裂|多动症|自闭症|哮喘|癫痫|过敏|怀孕|流产|堕胎|不孕|手术|吃药|服药|药物|处方|胰岛素|透析|心理医生|心理咨询|精神科|住院|血压|血糖|胆固醇|痴呆|帕金森|心脏病|心梗|感染|疾病|病情|症状|综合征|活检|核磁|性病|戒毒|戒酒|自杀|自残|厌食|偏头痛|湿疹|关节炎|肝炎|新冠|肺结核|残疾|患有|得了病|生病';
const WORD = new RegExp(`(?<![\\p{L}\\p{N}])(?:${ENGLISH})(?![\\p{L}\\p{N}])|${CHINESE}`, 'iu');

/** A sentence, or what a line or a mark of a sentence's end cuts off. */
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu;

/** Finds sentences that tell of somebody's health, by their words: what an illness is called says little without the rest. */
export const findHealth: Detector = (plain) =>
  [...plain.matchAll(SENTENCE)].flatMap(({ 0: sentence, index }): readonly Finding[] => {
    if (!WORD.test(sentence)) return [];
    const start = index + sentence.length - sentence.trimStart().length;
    return [{ start, end: index + sentence.trimEnd().length, kind: 'health' }];
  });
