/** The entry of the examples. */
export const exampleEntry = {
  id: '5f0c7d0a-4a7e-8c1b-a0de-0c1b2f3a4d5e',
  content: 'Ann decided to use React for the frontend.',
  content_type: 'decision' as const,
  source_file: 'memory/2026-02-14.md',
  date: '2026-02-14',
  created_at: '2026-02-14T10:30:00.000Z',
  updated_at: '2026-02-14T10:30:00.000Z',
  metadata: { tags: ['frontend'], importance: 8 },
};

/** The same as a hit of a search. */
export const exampleHit = { entry: exampleEntry, score: 0.79, relevance: 1, vector_score: 0.7, text_score: 1 };

const read = { last_modified: '2026-02-14T08:00:00.000Z' };

/** SPIRIT.md of the examples. */
export const exampleSpirit = {
  role: 'A personal assistant.',
  personality: '- friendly\n- brief',
  values: ['honesty'],
  behavior_rules: ['Ask first when unsure.'],
  file_path: 'SPIRIT.md',
  ...read,
};

/** OWNER.md of the examples. */
export const exampleOwner = {
  name: 'Ann',
  age: 32,
  occupation: 'Engineer',
  interests: ['coffee'],
  goals: ['Build a notes app'],
  preferences: { theme: 'dark', 'Likes a plain UI': true as const },
  file_path: 'OWNER.md',
  ...read,
};

/** A tool of TOOLS.md. */
export const exampleTool = {
  name: 'read_file',
  description: 'Reads a file',
  parameters: {},
  enabled: true,
  category: 'Files',
};

/** What there is, and what is still empty. */
export const exampleStatus = {
  initialized: true,
  files: ['SPIRIT.md', 'OWNER.md', 'TOOLS.md', 'MEMORY.md'].map((path) => ({ path, exists: true })),
  missing: ['spirit.role'],
  unreadable: [],
};

/** All of it. */
export const exampleIdentity = {
  spirit: exampleSpirit,
  owner: exampleOwner,
  tools: [exampleTool],
  status: exampleStatus,
};

/** A context that says who the owner is. */
export const exampleContext = {
  context: '# Whom you serve\n- Name: Ann',
  tokens: 9,
  token_budget: 4_000,
  sections: [{ name: 'owner' as const, source_files: ['OWNER.md'], tokens: 9, entries: [] }],
  left_out: [],
};
