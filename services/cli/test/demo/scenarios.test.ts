import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { conversationFileSchema, loadScenarios, type Scenario } from '../../src/demo/scenarios.ts';

let scenarios: readonly Scenario[];

beforeAll(async () => {
  scenarios = await loadScenarios();
});

const sessionsOf = ({ transcript }: Scenario) => conversationFileSchema.parse(JSON.parse(transcript)).sessions;

describe('the shipped conversations', () => {
  it('are one in English with marlow and one in Chinese with uozumi', () => {
    expect(scenarios.map(({ language, persona }) => [language, persona])).toEqual([
      ['en', 'marlow'],
      ['zh', 'uozumi'],
    ]);
  });

  it('have at least 60 turns on at least 5 dates over months, in order of time', () => {
    for (const scenario of scenarios) {
      const dates = sessionsOf(scenario).map(({ date }) => date);
      expect(scenario.turns).toBeGreaterThanOrEqual(60);
      expect(dates.length).toBeGreaterThanOrEqual(5);
      expect(dates).toEqual([...dates].sort());
      expect(Date.parse(scenario.to) - Date.parse(scenario.from)).toBeGreaterThan(90 * 86_400_000);
    }
  });

  it('are each between two speakers in turn, and each in its language', () => {
    for (const scenario of scenarios) {
      for (const { turns } of sessionsOf(scenario)) {
        const speakers = turns.map(({ speaker }) => speaker);
        expect(speakers.every((speaker, index) => speaker !== speakers[index - 1])).toBe(true);
      }
      const speakers = new Set(sessionsOf(scenario).flatMap(({ turns }) => turns.map(({ speaker }) => speaker)));
      expect(speakers.size).toBe(2);
      expect(speakers).toContain(scenario.user_name);
      const isChinese = /\p{Script=Han}/u;
      const words = sessionsOf(scenario).flatMap(({ turns }) => turns.map(({ text }) => text));
      expect(words.every((text) => isChinese.test(text) === (scenario.language === 'zh'))).toBe(true);
    }
  });

  it('contain the words that answer their questions', () => {
    for (const { transcript, questions } of scenarios) {
      expect(questions.length).toBeGreaterThanOrEqual(3);
      for (const { evidence } of questions) for (const words of evidence) expect(transcript).toContain(words);
    }
  });

  it('repeat no turn', async () => {
    const texts = scenarios.flatMap((scenario) =>
      sessionsOf(scenario).flatMap(({ turns }) => turns.map(({ text }) => text)),
    );
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('are told apart by user', async () => {
    const listed = JSON.parse(await readFile(new URL('../../examples/scenarios.json', import.meta.url), 'utf8'));
    expect(new Set(listed.map(({ user_id }: { user_id: string }) => user_id)).size).toBe(listed.length);
  });
});
