import type { Language } from '@contextloom/contracts';
import type { OwnerPatch, OwnerProfile } from '@contextloom/contracts/agent-memory';
import { type Title, titles } from '../model/titles.ts';
import { findSection, replaceItems, toItems, toPair, writeSection } from './sections.ts';

const isKey = (item: string, title: Title): boolean => {
  const [key = ''] = toPair(item) ?? [];
  return Object.values(title).some((name) => name.toLowerCase() === key.toLowerCase());
};

/** Key-value lines, whether they are list items or not. */
function toBasics(body: string): readonly string[] {
  return body.split('\n').map((line) => line.replace(/^[ \t]*[-*+][ \t]+/, '').trim());
}

/** Reads OWNER.md. */
export function parseOwner(text: string): OwnerProfile {
  const body = (title: Title) => findSection(text, title)?.body ?? '';
  const basics = toBasics(body(titles.basics));
  const value = (title: Title) => toPair(basics.find((line) => isKey(line, title)) ?? '')?.[1] || undefined;
  const age = /^\d{1,3}/.exec(value(titles.age) ?? '')?.[0];
  return {
    name: value(titles.name) ?? '',
    age: age === undefined ? null : Number(age),
    occupation: value(titles.occupation) ?? null,
    interests: toItems(body(titles.interests)),
    goals: toItems(body(titles.goals)),
    preferences: Object.fromEntries(
      toItems(body(titles.preferences)).map((item) => toPair(item) ?? ([item, true] as const)),
    ),
  };
}

/** Writes fields of OWNER.md in their lines and sections; nothing else changes. */
export function writeOwner(text: string, patch: OwnerPatch, language: Language): string {
  const current = parseOwner(text);
  const isNew = (field: keyof OwnerProfile) =>
    patch[field] !== undefined && JSON.stringify(patch[field]) !== JSON.stringify(current[field]);
  let written = text;
  const write = (title: Title, items: readonly string[], isReplaced: (item: string) => boolean) => {
    const body = findSection(written, title)?.body ?? '';
    written = writeSection(written, title, title[language], replaceItems(body, items, isReplaced));
  };
  for (const field of ['name', 'age', 'occupation'] as const) {
    if (!isNew(field)) continue;
    const item = `${titles[field][language]}: ${patch[field]}`;
    write(titles.basics, [item], (old) => isKey(old, titles[field]));
  }
  for (const field of ['interests', 'goals'] as const) {
    if (isNew(field)) write(titles[field], patch[field] ?? [], () => true);
  }
  if (isNew('preferences')) {
    const items = Object.entries(patch.preferences ?? {}).map(([key, value]) =>
      value === true ? key : `${key}: ${value}`,
    );
    write(titles.preferences, items, () => true);
  }
  return written;
}
