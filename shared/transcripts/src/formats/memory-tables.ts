/** Where a table of another program keeps its memories. */
export interface MemoryTable {
  /** Who wrote them; absent where the user did. */
  readonly speaker?: string;
  readonly program: string;
  /** The columns with words, one under the other. */
  readonly text: readonly string[];
  readonly time: readonly string[];
  /** The column that names what the memories are about, a conversation each. */
  readonly by?: string;
  /** How the rows are ordered, in SQL. */
  readonly order?: string;
}

const CLAUDE_MEM = { program: 'claude-mem', time: ['created_at'] } as const;
const MIRIX = { program: 'mirix', speaker: 'MIRIX', time: ['occurred_at', 'created_at'], order: 'created_at' } as const;

/** The tables of claude-mem and of MIRIX that hold words; MIRIX's vault of secrets is left where it is. */
export const MEMORY_TABLES: Readonly<Record<string, MemoryTable>> = {
  user_prompts: { ...CLAUDE_MEM, text: ['prompt_text'], by: 'content_session_id', order: 'content_session_id, id' },
  observations: {
    ...CLAUDE_MEM,
    speaker: 'claude-mem',
    by: 'project',
    order: 'project, id',
    text: ['title', 'subtitle', 'narrative', 'text', 'facts'],
  },
  session_summaries: {
    ...CLAUDE_MEM,
    speaker: 'claude-mem',
    by: 'project',
    order: 'project, id',
    text: ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'],
  },
  episodic_memory: { ...MIRIX, text: ['summary', 'details'] },
  semantic_memory: { ...MIRIX, text: ['name', 'summary', 'details'] },
  procedural_memory: { ...MIRIX, text: ['summary', 'steps'] },
  resource_memory: { ...MIRIX, text: ['title', 'summary', 'content'] },
};
