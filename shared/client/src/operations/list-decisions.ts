// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `list_decisions`: List decisions about facts.
 */
export interface ListDecisionsInput {
  /**
   * The user whose memory this is.
   */
  user_id?: string;
}

/**
 * The answer of `list_decisions`.
 */
export interface ListDecisionsOutput {
  success: true;
  decisions: {
    id: string;
    relation: 'same' | 'replaces' | 'corrects';
    /**
     * The fact that was new.
     */
    fact: string;
    /**
     * The fact that was known.
     */
    known: string;
    /**
     * Where the new fact was said: transcript and turns.
     */
    evidence: string;
    /**
     * The model, or "rules".
     */
    decided_by: string;
    prompt_version: string;
    decided_at: string;
    undone_at?: string;
  }[];
}
