import { findSuperlinear } from '@contextloom/testing/growth';
import { describe, expect, it } from '@jest/globals';
import { toLanguage, toListItem } from '../../src/domain/composing/prompt.ts';
import { withoutHidden } from '../../src/domain/firewall/hidden.ts';
import { neutralise } from '../../src/domain/firewall/markup.ts';
import { sanitizeText } from '../../src/domain/firewall/sanitize-text.ts';
import { toMemoryPassages } from '../../src/domain/memories/passages.ts';

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  sanitizeText,
  'sanitizeText of a conversation': (text) => sanitizeText(text, { hasSpeakers: true }),
  toMemoryPassages: (text) =>
    toMemoryPassages({ memory: { id: '', content: text, tags: ['episode'], metadata: {} }, text }),
  withoutHidden,
  neutralise,
  toLanguage,
  toListItem,
};

describe('time grows no faster than a text', () => {
  it.each(Object.keys(READERS))('in %s', (name) => {
    // Longer texts are cut, and those that are cut end otherwise.
    expect(findSuperlinear((text) => READERS[name]?.(text), { longest: 32_000 })).toEqual([]);
  });
});
