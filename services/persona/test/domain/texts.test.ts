import { describe, expect, it } from '@jest/globals';
import type { Persona } from '../../src/domain/persona.ts';
import { toNames, toPersonaText, toSafetyText, toSystemPrompt } from '../../src/domain/texts.ts';

const persona: Persona = {
  name: 'uozumi',
  displayName: 'Uozumi',
  language: 'zh',
  description: undefined,
  personaText: '你是 {{char}}。\n',
  safetyText: '善待 {{user}}。\n',
  worldBook: [],
};
const english: Persona = { ...persona, name: 'marlow', displayName: 'Marlow', language: 'en' };
const names = { user: '小满', char: '阿海' };

describe('the system prompt', () => {
  it('is heading, blank line, safety, two blank lines, persona, with names filled in', () => {
    expect(toSystemPrompt(persona, names)).toBe('# Uozumi 系统提示\n\n善待 小满。\n\n\n你是 阿海。\n');
  });

  it('has the same blank lines when the safety text ends without a newline', () => {
    expect(toSystemPrompt({ ...persona, safetyText: '善待 {{user}}。' }, names)).toBe(toSystemPrompt(persona, names));
  });

  it('goes from the heading to the persona when there is no safety text', () => {
    expect(toSystemPrompt({ ...persona, safetyText: '' }, names)).toBe('# Uozumi 系统提示\n\n你是 阿海。\n');
  });

  it('has an English heading for an English persona', () => {
    expect(toSystemPrompt(english, names)).toMatch(/^# Marlow System Prompt\n\n/);
  });
});

describe('the texts as written', () => {
  it('stand under Chinese headings with placeholders still open', () => {
    expect(toPersonaText(persona)).toBe('# Uozumi 角色人设\n\n你是 {{char}}。\n');
    expect(toSafetyText(persona)).toBe('# 安全使用指南\n\n善待 {{user}}。\n');
  });

  it('stand under English headings for an English persona', () => {
    expect(toPersonaText(english)).toMatch(/^# Marlow Persona\n\n/);
    expect(toSafetyText(english)).toMatch(/^# Safety Guidelines\n\n/);
  });
});

describe('names', () => {
  it('default to the language and the display name when absent or blank', () => {
    expect(toNames(persona, {})).toEqual({ user: '用户', char: 'Uozumi' });
    expect(toNames(english, { user: ' ', char: '' })).toEqual({ user: 'the user', char: 'Marlow' });
  });

  it('are taken as given otherwise', () => {
    expect(toNames(persona, names)).toEqual(names);
  });
});
