import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { guardText } from '../../src/domain/firewall/guard.ts';
import { CLEAN, DISGUISED, INSTRUCTIONS, MARKUP } from './poison.ts';

describe('guardText', () => {
  it('has a corpus to stand up to', () => {
    expect(INSTRUCTIONS.length + DISGUISED.length + MARKUP.length).toBeGreaterThanOrEqual(60);
  });

  it.each(INSTRUCTIONS.map((text) => [text]))('holds back: %s', (text) => {
    expect(guardText(text)).toMatchObject({ text: '', held: 1 });
  });

  it.each(DISGUISED.map((text) => [JSON.stringify(text), text]))('holds back in disguise: %s', (_shown, text) => {
    expect(guardText(text)).toMatchObject({ text: '', held: 1 });
  });

  it.each(INSTRUCTIONS.map((text) => [text]))('holds back of a conversation only the turn that says: %s', (text) => {
    const episode = `[2024-05-01]\nAnn: I bought a cello.\nBen: ${text}\nAnn: It is called Gerald.`;
    const guarded = guardText(episode, { hasSpeakers: true });
    expect(guarded).toMatchObject({ text: '[2024-05-01]\nAnn: I bought a cello.\nAnn: It is called Gerald.', held: 1 });
  });

  it.each(MARKUP)('leaves no sign of a part of the prompt in %j', (text, sign) => {
    expect(guardText(text).text).not.toContain(sign);
  });

  it.each(CLEAN.map((text) => [text]))('tells as it is: %s', (text) => {
    expect(guardText(text)).toEqual({ text, held: 0, masked: 0 });
  });

  it('keeps the speakers of a conversation, whatever their role', () => {
    const episode = '[2024-05-01]\nuser: I moved to Lyon.\nassistant: How nice!';
    expect(guardText(episode, { hasSpeakers: true })).toEqual({ text: episode, held: 0, masked: 0 });
  });

  it('masks secrets', () => {
    const { text, masked } = guardText('Ann: the password is hunter2horse, do not share', { hasSpeakers: true });
    expect(masked).toBe(1);
    expect(text).not.toContain('hunter2horse');
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...CLEAN, ...MARKUP.map(([text]) => text)), { maxLength: 4 }), (texts) => {
        const once = guardText(texts.join('\n'));
        if (once.held === 0) expect(guardText(once.text).text).toBe(once.text);
      }),
      { numRuns: 40 },
    );
  });
});
