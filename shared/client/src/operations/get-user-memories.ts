// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `get_user_memories`: Get a user's memories.
 */
export interface GetUserMemoriesInput {
  /**
   * The user whose memory this is.
   */
  user_id?: string;
  /**
   * What to look for; empty lists the most important, then the newest.
   */
  query?: string;
  /**
   * How many memories, 1 to 100.
   */
  top_k?: number;
  memory_type?: 'preference' | 'event' | 'relationship' | 'knowledge' | 'emotional' | 'episode';
}

/**
 * The answer of `get_user_memories`.
 */
export interface GetUserMemoriesOutput {
  success: true;
  user_id: string;
  total_memories: number;
  /**
   * Services of the composition that may remember more of the user, of which this lists nothing; absent where there are none.
   */
  not_listed?: string[];
  memories: {
    /**
     * Id of the document in the knowledge base.
     */
    id?: string;
    content: string;
    importance: number | null;
    memory_type: string | null;
    created_at: string | null;
    tags: string[];
    occurred_at?: string;
    /**
     * The month (2025-03) or year (2025) that was said where no day was; occurred_at is its first day.
     */
    occurred_on?: string;
    /**
     * When it happened, as prompts tell it: the day, month or year where the user is.
     */
    day?: string;
    /**
     * Until when it was or will be so, as far as that was said, ISO 8601 UTC.
     */
    ended_at?: string;
    /**
     * The month or year of the end where no day was said; ended_at is its first day.
     */
    ended_on?: string;
    source?: string;
    /**
     * Of a query: how sure it is that this answers it, 0 to 1, where the knowledge base says that.
     */
    relevance?: number;
  }[];
}
