// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `undo_decision`: Undo a decision about a fact.
 */
export interface UndoDecisionInput {
  /**
   * The user whose memory this is.
   */
  user_id?: string;
  /**
   * Id of the decision, as list_decisions gives it.
   */
  decision_id: string;
}

/**
 * The answer of `undo_decision`.
 */
export interface UndoDecisionOutput {
  success: true;
  decision: {
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
  };
}
