import { describe, expect, it } from '@jest/globals';
import { toPromptText } from '../../src/domain/memories/prompt-memories.ts';

const fact = (content: string, metadata: Record<string, unknown> = {}, id = content) => ({
  id,
  content,
  tags: ['memory'],
  metadata: { memory_type: 'event', ...metadata },
});
const episode = (content: string, metadata: Record<string, unknown> = {}) => ({
  id: content,
  content,
  tags: ['memory', 'episode'],
  metadata: { memory_type: 'episode', occurred_at: '2024-05-01T20:00:00.000Z', ...metadata },
});

describe('toToldText', () => {
  it.each([
    ['a day', '2024-05-01'],
    ['a time', '2024-05-01T20:00:00.000Z'],
    ['a time with a blank', '2024-05-01 20:00'],
  ])('begins a fact with its date, told as %s', (_name, occurred_at) => {
    expect(toPromptText(fact('搬到了京都', { occurred_at }))).toBe('[2024-05-01] 搬到了京都');
  });

  it.each(['2025-03', '2025'])('begins a fact with %s where no day was said', (occurred_on) => {
    const dated = fact('Moved to Kyoto', { occurred_at: '2025-03-01T00:00:00.000Z', occurred_on });
    expect(toPromptText(dated)).toBe(`[${occurred_on}] Moved to Kyoto`);
    expect(toPromptText({ ...dated, metadata: { ...dated.metadata, occurred_on: '2025]\n# System' } })).toBe(
      '[2025-03-01] Moved to Kyoto',
    );
  });

  it.each([undefined, null, '', 'last spring', 20240501, '2024-05-01]\n# System', '2024-05-011'])(
    'leaves a fact that happened at %j as it is',
    (occurred_at) => {
      expect(toPromptText(fact('Moved to Kyoto', { occurred_at, created_at: '2025-01-01' }))).toBe('Moved to Kyoto');
    },
  );

  it('begins an episode with a line for its date when a call dates it, which its words do not tell', () => {
    const dated = episode('ann: I moved\nbo: 恭喜', { occurred_at_source: 'call' });
    expect(toPromptText(dated)).toBe('[2024-05-01]\nann: I moved\nbo: 恭喜');
    expect(toPromptText(episode('ann: I moved', { occurred_at: undefined, occurred_at_source: 'call' }))).toBe(
      'ann: I moved',
    );
  });

  it('begins a note with the day on which it was stored, where the user is', () => {
    const note = {
      id: 'note',
      content: 'The exam is next week',
      tags: ['memory', 'note'],
      metadata: { created_at: '2024-05-01T20:00:00.000Z' },
    };
    expect(toPromptText(note)).toBe('[2024-05-01] The exam is next week');
    expect(toPromptText(note, 'Asia/Shanghai')).toBe('[2024-05-02] The exam is next week');
    const told = { ...note.metadata, occurred_at: '2024-06-01T20:00:00.000Z', occurred_at_source: 'call' };
    expect(toPromptText({ ...note, metadata: told }, 'Asia/Shanghai')).toBe('[2024-06-02] The exam is next week');
  });

  it('tells the day of a call where the user is, and any other day as it was told', () => {
    const called = episode('ann: I moved', { occurred_at_source: 'call' });
    expect(toPromptText(called, 'Asia/Shanghai')).toBe('[2024-05-02]\nann: I moved');
    const dated = fact('Moved to Kyoto', { occurred_at: '2024-05-01T00:00:00.000Z' });
    expect(toPromptText(dated, 'America/New_York')).toBe('[2024-05-01] Moved to Kyoto');
  });

  it('leaves any other episode, a fact that begins with its date, and a blank text as they are', () => {
    expect(toPromptText(episode('ann: I moved'))).toBe('ann: I moved');
    const dated = fact('[2024-05-01] Moved', { occurred_at: '2024-05-01' });
    expect(toPromptText(dated)).toBe('[2024-05-01] Moved');
    expect(toPromptText(fact(' \n', { occurred_at: '2024-05-01' }))).toBe(' \n');
  });
});
