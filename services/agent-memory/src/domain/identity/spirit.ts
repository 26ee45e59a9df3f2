import { type Language, parseInput, spiritFields } from '@contextloom/contracts';
import type { SpiritConfig, SpiritPatch } from '@contextloom/contracts/agent-memory';
import { z } from 'zod';
import { SPIRIT_FILE } from '../model/files.ts';
import { titles } from '../model/titles.ts';
import { parseFrontMatter, writeFrontMatterValue } from './front-matter.ts';
import { findSection, replaceItems, toItems, writeSection } from './sections.ts';

const textOverride = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === 'string' ? value.trim() : value.map((one) => `- ${one}`).join('\n')));
const listOverride = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === 'string' ? [value.trim()] : value));
const overridesSchema = z
  .object({ role: textOverride, personality: textOverride, values: listOverride, behavior_rules: listOverride })
  .partial();

/**
 * Reads SPIRIT.md; a field of the front matter stands for its section.
 * @throws ContextloomError `invalid` for front matter that is not YAML, or a field of a wrong kind
 */
export function parseSpirit(text: string): SpiritConfig {
  const front = parseFrontMatter(text, SPIRIT_FILE);
  const overrides = parseInput(overridesSchema, front?.values ?? {}, [`${SPIRIT_FILE} front matter`]);
  const body = (title: (typeof titles)[keyof SpiritConfig]) => findSection(text, title)?.body ?? '';
  return {
    role: overrides.role ?? body(titles.role),
    personality: overrides.personality ?? body(titles.personality),
    values: overrides.values ?? toItems(body(titles.values)),
    behavior_rules: overrides.behavior_rules ?? toItems(body(titles.behavior_rules)),
  };
}

/** Writes fields of SPIRIT.md where they stand, in the front matter or a section; nothing else changes. */
export function writeSpirit(text: string, patch: SpiritPatch, language: Language): string {
  const overrides = parseFrontMatter(text, SPIRIT_FILE)?.values ?? {};
  const current = parseSpirit(text);
  return spiritFields.reduce((written, field) => {
    const value = patch[field];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(current[field])) return written;
    if (Object.hasOwn(overrides, field)) return writeFrontMatterValue(written, SPIRIT_FILE, field, value);
    const body = findSection(written, titles[field])?.body ?? '';
    const text = typeof value === 'string' ? value : replaceItems(body, value, () => true);
    return writeSection(written, titles[field], titles[field][language], text);
  }, text);
}
