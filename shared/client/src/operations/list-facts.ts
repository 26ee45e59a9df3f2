// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `list_facts`: List facts about a user.
 */
export interface ListFactsInput {
  /**
   * The user whose memory this is.
   */
  user_id?: string;
  /**
   * Only what was so at this time, ISO 8601.
   */
  as_of?: string;
  /**
   * Those too whose place another fact has taken.
   */
  include_superseded?: boolean;
}

/**
 * The answer of `list_facts`.
 */
export interface ListFactsOutput {
  success: true;
  facts: {
    id: string;
    content: string;
    said_at: string;
    occurred_at?: string;
    /**
     * The month (2025-03) or year (2025) that was said where no day was; occurred_at is its first day.
     */
    occurred_on?: string;
    /**
     * Until when it was or will be so, as far as that was said, ISO 8601 UTC.
     */
    ended_at?: string;
    /**
     * The month or year of the end where no day was said; ended_at is its first day.
     */
    ended_on?: string;
    /**
     * How often it was said.
     */
    mentions: number;
    /**
     * From when on it was so no more.
     */
    valid_to?: string;
    superseded_by?: string;
  }[];
}
