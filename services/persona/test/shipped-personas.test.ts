import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { toNames, toPersonaText, toSafetyText, toSystemPrompt } from '../src/domain/texts.ts';
import { createWorldBookSearch } from '../src/domain/worldbook-search.ts';
import { createFolderPersonaStore } from '../src/store/folder-persona-store.ts';

const store = createFolderPersonaStore({ folder: fileURLToPath(new URL('../personas', import.meta.url)) });

it('uozumi and marlow are shipped', async () => {
  expect(await store.names()).toEqual(['marlow', 'uozumi']);
});

describe.each([
  [
    'uozumi',
    ['# Uozumi 角色人设', '# Uozumi 系统提示', '# 安全使用指南'],
    '用户',
    '那座灯塔现在谁守着？',
    'lighthouse',
  ],
  ['marlow', ['# Marlow Persona', '# Marlow System Prompt', '# Safety Guidelines'], 'the user', 'who is Ivo?', 'ivo'],
] as const)(
  'the shipped persona %s',
  (name, [personaHeading, promptHeading, safetyHeading], user, question, entryId) => {
    it('stands under its headings', async () => {
      const persona = await store.load(name);
      expect(toPersonaText(persona)).toMatch(new RegExp(`^${personaHeading}\n\n## `));
      expect(toSafetyText(persona)).toMatch(new RegExp(`^${safetyHeading}\n\n`));
      expect(toSystemPrompt(persona, toNames(persona, {}))).toMatch(new RegExp(`^${promptHeading}\n\n`));
    });

    it('uses both names, and leaves no placeholder open in its prompt', async () => {
      const persona = await store.load(name);
      const prompt = toSystemPrompt(persona, toNames(persona, {}));
      expect(persona.personaText).toContain('{{user}}');
      expect(persona.personaText).toContain('{{char}}');
      expect(prompt).not.toMatch(/\{\{|\}\}/);
      expect(prompt).toContain(user);
      expect(prompt).toContain(persona.displayName);
    });

    it('reads well without a name: nobody is called what stands for none, and no sentence begins with it', async () => {
      const persona = await store.load(name);
      const prompt = toSystemPrompt(persona, toNames(persona, {}));
      const spoken = prompt.match(/“[^”]*”|"[^"]*"/g) ?? [];
      expect(spoken.length).toBeGreaterThan(8);
      expect(spoken.filter((words) => words.includes(user))).toEqual([]);
      expect(prompt.match(/(?:^|[.!?:] |[.!?]" |^- )the user/gm) ?? []).toEqual([]);
      expect(prompt.match(/(?<=\p{Script=Han}) 用户|用户 (?=\p{Script=Han})/gu) ?? []).toEqual([]);
    });

    it('uses a name as it is given', async () => {
      const persona = await store.load(name);
      const prompt = toSystemPrompt(persona, toNames(persona, { user: '小满' }));
      expect(prompt).toContain('小满');
      expect(prompt).not.toContain(user);
    });

    it('is told in 600 to 1,200 words or characters', async () => {
      const persona = await store.load(name);
      const length =
        persona.language === 'zh'
          ? persona.personaText.replace(/\s/g, '').length
          : persona.personaText.split(/\s+/).filter((word) => word !== '').length;
      expect(length).toBeGreaterThanOrEqual(600);
      expect(length).toBeLessThanOrEqual(1_200);
    });

    it('has a world book in which every entry is found by its keywords and its title', async () => {
      const { worldBook } = await store.load(name);
      expect(worldBook.length).toBeGreaterThanOrEqual(6);
      for (const entry of worldBook) {
        for (const words of [...entry.keywords, entry.title]) {
          const found = createWorldBookSearch(worldBook)(words, 100).map((hit) => hit.entryId);
          expect(found).toContain(entry.id);
        }
      }
    });

    it('answers a question in a whole sentence', async () => {
      const { worldBook } = await store.load(name);
      expect(createWorldBookSearch(worldBook)(question, 5)[0]?.entryId).toBe(entryId);
    });
  },
);
