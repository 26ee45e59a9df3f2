/** The document of the examples. */
export const exampleDocument = {
  id: 'tea',
  content: 'Ann drinks green tea in the morning.',
  tags: ['memory'],
  metadata: { user_id: 'ann', importance: 6 },
};

/** The same as the store shows it. */
export const storedExample = {
  ...exampleDocument,
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: '2026-03-01T08:00:00.000Z',
  version: 1,
};

const { id: doc_id, ...fields } = exampleDocument;

/** The same as a caller gives it. */
export const exampleInput = { doc_id, ...fields };
