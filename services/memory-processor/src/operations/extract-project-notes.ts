import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import { parseHistory } from '@contextloom/transcripts';
import { type MemoryProcessorContext, readInCall } from './deps.ts';
import { exampleExtractor } from './examples.ts';

/** Shows what later sessions on a project should know of a working session, and saves nothing. */
export const extractProjectNotes = defineOperation({
  name: 'extract_project_notes',
  title: 'Extract project notes',
  description:
    'Reads a working session of a coding agent (Claude Code, Codex, or any other conversation) and returns what later sessions on the project should know: requirements, decisions with their reasons, causes of faults, results of tests, plans. Secrets are masked. Saves nothing; mem.ingest_memory of project memory does.',
  effect: 'reads',
  // It stores nothing, but each call may cost a model's: not what a key that only reads is given for.
  requires: 'write',
  hints: { isOpenWorld: true },
  scope: 'none',
  ...contract.extract_project_notes,
  example: {
    input: {
      conversation_history: [
        { role: 'user', content: 'Let us keep the queue in Postgres.', timestamp: '2026-03-01T08:00:00Z' },
        { role: 'assistant', content: 'We decided on Postgres instead of Redis, since one service less has to run.' },
      ],
    },
    output: {
      success: true,
      extractor: exampleExtractor,
      notes: [
        {
          content_type: 'insight',
          content: 'We decided on Postgres instead of Redis, since one service less has to run.',
          occurred_at: '2026-03-01T08:00:00Z',
        },
      ],
    },
  },
  run: async ({ conversation_history: history }, context: MemoryProcessorContext) => {
    const {
      deps: { noteReader },
      signal,
    } = context;
    const turns = parseHistory(history).flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
    const { notes, usage, failed } = await readInCall(context, () => noteReader.read(turns, signal));
    return {
      success: true as const,
      extractor: noteReader.info,
      notes: notes.map(({ type, content, at }) => ({
        content_type: type,
        content,
        ...(at !== undefined && { occurred_at: at }),
      })),
      ...(usage !== undefined && {
        usage: { calls: usage.calls, input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
      }),
      ...(failed !== undefined && { failed: failed.map((one) => ({ ...one })) }),
    };
  },
});
