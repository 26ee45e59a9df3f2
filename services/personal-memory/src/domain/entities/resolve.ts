import { mapInSlices } from '@contextloom/runtime/scheduling';
import type { MemoryContext } from '../context.ts';
import type { Entity } from '../model.ts';
import { round } from '../numbers.ts';
import { readEntityPages } from '../pages.ts';
import { createSays, type Says, toPhrase } from '../phrases.ts';
import { daysBetween } from '../times.ts';
import { type Kind, kinds, typeWords } from './type-words.ts';

/** A reason why a text may mean an entity. */
export interface Reason {
  readonly kind: 'name' | 'alias' | 'type' | 'attribute' | 'recent';
  /** The name, word, attribute or day that it rests on. */
  readonly detail: string;
  /** Its weight, in [0, 1]. */
  readonly weight: number;
}

/** An entity that a text may be about. */
export interface Candidate {
  readonly entity: Entity;
  /** How likely the text means it, in [0, 1]: each reason removes its share of the remaining doubt. */
  readonly score: number;
  readonly reasons: readonly Reason[];
}

const WEIGHTS = { name: 0.9, alias: 0.85, kind: 0.6, type: 0.4, attribute: 0.5, recent: 0.15 };
/** Texts mean an inactive entity less often. */
const INACTIVE_SHARE = 0.7;
/** The number of days after which the last event counts half. */
const RECENT_HALF_LIFE_DAYS = 60;

const kindPhrases = kinds.map((kind) => ({ kind, phrases: kind.words.map(toPhrase) }));
const typePhrases = new Map(Object.entries(typeWords).map(([type, words]) => [type, words.map(toPhrase)]));

/** The text of an entity apart from its names: attribute values and tags. */
function toDescription({ attributes, tags }: Entity): string {
  return [...Object.values(attributes).map((value) => JSON.stringify(value)), ...tags].join(' ');
}

/** The kinds that a text names, each with the word for it. */
function kindsOf(says: Says): readonly { readonly kind: Kind; readonly word: string }[] {
  return kindPhrases.flatMap(({ kind, phrases }) => {
    const phrase = phrases.find(says);
    return phrase === undefined ? [] : [{ kind, word: phrase.text }];
  });
}

function findTypeReason(entity: Entity, isNamed: Says): Reason | 'other' | undefined {
  const own = new Set(kindsOf(createSays(toDescription(entity))).map(({ kind }) => kind));
  const named = kindsOf(isNamed).filter(({ kind }) => kind.type === entity.type);
  const same = named.find(({ kind }) => own.has(kind));
  if (same !== undefined) return { kind: 'type', detail: same.word, weight: WEIGHTS.kind };
  // "My dog" is not the cat; "my house" may well be the flat.
  if (named.some(({ word }) => !typeWords[entity.type].includes(word)) && own.size > 0) return 'other';
  const word = named[0]?.word ?? typePhrases.get(entity.type)?.find(isNamed)?.text;
  return word === undefined ? undefined : { kind: 'type', detail: word, weight: WEIGHTS.type };
}

function findNameReasons({ name, aliases }: Entity, isNamed: Says): readonly Reason[] {
  const toReasons = (kind: 'name' | 'alias', names: readonly string[]): readonly Reason[] =>
    names.filter((one) => isNamed(toPhrase(one))).map((detail) => ({ kind, detail, weight: WEIGHTS[kind] }));
  return [...toReasons('name', name === null ? [] : [name]), ...toReasons('alias', aliases)];
}

function findAttributeReasons({ attributes }: Entity, isNamed: Says): readonly Reason[] {
  return Object.entries(attributes)
    .filter(([, value]) => typeof value === 'string' && isNamed(toPhrase(value)))
    .map(([key, value]) => ({
      kind: 'attribute' as const,
      detail: `${key}: ${String(value)}`,
      weight: WEIGHTS.attribute,
    }));
}

function toRecentReason(last: number | undefined, now: number): readonly Reason[] {
  if (last === undefined) return [];
  const weight = WEIGHTS.recent * 0.5 ** (daysBetween(last, now) / RECENT_HALF_LIFE_DAYS);
  return weight < 0.01 ? [] : [{ kind: 'recent', detail: new Date(last).toISOString(), weight }];
}

function toScore(reasons: readonly Reason[], { status }: Entity): number {
  const doubt = reasons.reduce((left, { weight }) => left * (1 - weight), 1);
  return round((1 - doubt) * (status === 'active' ? 1 : INACTIVE_SHARE), 3);
}

/** 我家 alone is a home; before one of these it says no more than "my". */
const MY = /我家(?=[那这的])/gu;

/** The reasons why a text may mean an entity; empty when it does not. */
function findReasons(entity: Entity, isNamed: Says): readonly Reason[] {
  const names = findNameReasons(entity, isNamed);
  const type = findTypeReason(entity, isNamed);
  if (type === 'other' && names.length === 0) return [];
  const ofType = type === undefined || type === 'other' ? [] : [type];
  return [...names, ...ofType, ...findAttributeReasons(entity, isNamed)];
}

/** The entities that a text such as "my dog", 我的狗 or 旺财 may be about, most likely first, each with the reasons. */
export async function resolveEntity(
  { text, limit }: { readonly text: string; readonly limit: number },
  { memory, clock }: MemoryContext,
): Promise<readonly Candidate[]> {
  const present = clock().getTime();
  const isNamed = createSays(text.replace(MY, '我的'));
  const lastEvents = await memory.lastEvents(present);
  const candidates: Candidate[] = [];
  for await (const page of readEntityPages(memory)) {
    const meant = await mapInSlices(page, (entity) => ({ entity, said: findReasons(entity, isNamed) }));
    for (const { entity, said } of meant) {
      if (said.length === 0) continue;
      const reasons = [...said, ...toRecentReason(lastEvents.get(entity.id), present)];
      candidates.push({ entity, score: toScore(reasons, entity), reasons });
    }
  }
  return candidates.sort((a, b) => b.score - a.score || b.entity.id - a.entity.id).slice(0, limit);
}
