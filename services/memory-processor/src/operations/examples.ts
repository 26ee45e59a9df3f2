/** A conversation, as the examples give it. */
export const exampleHistory = [
  { role: 'user', content: 'I am allergic to peanuts.', timestamp: '2026-03-01T08:00:00Z' },
  { role: 'assistant', content: 'Noted!' },
];

/** What is remembered of it. */
export const exampleMemory = {
  content: 'user: I am allergic to peanuts.\nassistant: Noted!',
  importance: 8,
  memory_type: 'episode' as const,
  tags: ['memory', 'episode'],
  occurred_at: '2026-03-01T08:00:00.000Z',
  source: 'chat-1 1-2',
};

/** Who made it, where there is no model. */
export const exampleExtractor = { kind: 'rules' as const, name: 'rules' };

/** A fact that took the place of another. */
export const exampleDecision = {
  id: 'decision-1',
  relation: 'replaces' as const,
  fact: 'Ann lives in Berlin.',
  known: 'Ann lives in Hamburg.',
  evidence: 'chat-2 1',
  decided_by: 'rules',
  prompt_version: '1',
  decided_at: '2026-03-02T08:00:00.000Z',
};
