import type { JobAnswer } from '@contextloom/contracts';

/** A job that is done. */
export const exampleJob: JobAnswer = {
  job_id: '0198c2f4-6f5e-7cc3-9d1b-2f6a3c0d8e11',
  kind: 'store_conversation',
  state: 'done',
  progress: { done: 1, total: 1 },
  attempts: 1,
  created_at: '2026-05-01T10:00:00.000Z',
  started_at: '2026-05-01T10:00:00.100Z',
  ended_at: '2026-05-01T10:00:02.000Z',
  result: {
    message: 'Saved 1 memory, rated by written rules.',
    extractor: { kind: 'rules', name: 'rules' },
    transcript_id: 'chat-1',
    memories_extracted: 1,
    memories_saved: 1,
    memories_known: 0,
    memory_ids: ['memory-1'],
  },
};
