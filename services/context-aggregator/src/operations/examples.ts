const HASH = '6f1ed002ab5595859014ebf0951522d9a8c0a1c6a5fbd0a7f6d0b1c2d3e4f506';

const LINE = 'Ann drinks green tea in the morning.';

/** A prompt of one memory, in the examples of what builds and explains it. */
export const exampleManifest = {
  status: 'complete' as const,
  hash: HASH,
  tokens: 34,
  tokens_cut: 0,
  sources: [
    { source: 'persona', server: 'persona-uozumi', status: 'ok' as const, lines: 0, tokens: 0, left_out: 0 },
    { source: 'memories', server: 'knowledge-base', status: 'ok' as const, lines: 1, tokens: 11, left_out: 0 },
  ],
};

/** Its one line, and where it came from. */
export const exampleLine = {
  text: LINE,
  source: 'memories',
  server: 'knowledge-base',
  id: 'memory-1',
  score: 0.5,
  tokens: 11,
};

/** A memory of the examples, before it is saved. */
export const exampleMemory = {
  content: LINE,
  importance: 6,
  memory_type: 'preference' as const,
  tags: ['memory', 'preference'],
};

/** The same after it was saved. */
export const exampleSavedMemory = { id: 'memory-1', ...exampleMemory };

/** A conversation of the examples. */
export const exampleConversation = 'Ann: I drink green tea in the morning.\nUozumi: Then I know what to bring.';

/** A decision of the examples. */
export const exampleDecision = {
  id: 'decision-1',
  relation: 'replaces' as const,
  fact: 'Ann lives in Lyon.',
  known: 'Ann lives in Bonn.',
  evidence: 'conversation-2 turn 3',
  decided_by: 'rules',
  prompt_version: '1',
  decided_at: '2026-05-01T09:30:00.000Z',
};
