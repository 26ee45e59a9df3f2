// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `explain_prompt`: Explain a prompt.
 */
export interface ExplainPromptInput {
  /**
   * The "hash" in the manifest of a prompt that was built lately.
   */
  hash: string;
  /**
   * The user that the prompt was built for; other users cannot read it.
   */
  user_id?: string;
}

/**
 * The answer of `explain_prompt`.
 */
export interface ExplainPromptOutput {
  hash: string;
  persona: string;
  placement?: 'before_persona' | 'after_persona' | 'last_message';
  /**
   * Without their texts.
   */
  parts?: {
    kind: 'persona' | 'core' | 'recall';
    tokens: number;
    /**
     * SHA-256 of the text: the same as long as the text is.
     */
    digest: string;
  }[];
  manifest: {
    status: 'complete' | 'partial';
    /**
     * Names this prompt to explain_prompt of the same process, for the same user.
     */
    hash: string;
    /**
     * Of all that is not the persona.
     */
    tokens: number;
    /**
     * Of what had no room.
     */
    tokens_cut: number;
    sources: {
      source: string;
      server: string;
      status: 'ok' | 'cached' | 'timeout' | 'error' | 'skipped';
      reason?: string;
      /**
       * How old a cached answer is.
       */
      age_ms?: number;
      lines: number;
      tokens: number;
      left_out: number;
      /**
       * The best relevance of what was left out, 0 to 1.
       */
      left_out_relevance?: number;
    }[];
  };
  lines: {
    /**
     * The line as it stands in the prompt, without its list mark.
     */
    text: string;
    source: string;
    server: string;
    /**
     * The document that it was made of.
     */
    id?: string;
    score?: number;
    relevance?: number;
    /**
     * When it happened, ISO 8601.
     */
    time?: string;
    /**
     * Of the line with its list mark.
     */
    tokens?: number;
    /**
     * What it belongs to: what seldom changes, or what was found for this question.
     */
    part?: 'core' | 'recall';
    /**
     * Who said it: the user, another person, an assistant, a document (also one that the user pasted), or a tool. Of several, the one who is believed least.
     */
    trust?: 'user' | 'other' | 'assistant' | 'document' | 'tool';
    /**
     * All who said it, where these are several.
     */
    said_by?: ('user' | 'other' | 'assistant' | 'document' | 'tool')[];
    /**
     * What in the line is so no more; the line says so behind it. Absent where nothing is.
     */
    replaced?: {
      /**
       * The month in which that was said, "YYYY-MM".
       */
      until: string;
      /**
       * What is so now.
       */
      now?: string;
      /**
       * Set where it was never so.
       */
      correction?: true;
      /**
       * The document that tells it.
       */
      by: string;
    }[];
  }[];
  left_out: {
    source: string;
    server: string;
    /**
     * The document that it was made of.
     */
    id?: string;
    score?: number;
    relevance?: number;
    /**
     * When it happened, ISO 8601.
     */
    time?: string;
    /**
     * Of the line with its list mark.
     */
    tokens?: number;
    /**
     * Who said it: the user, another person, an assistant, a document (also one that the user pasted), or a tool. Of several, the one who is believed least.
     */
    trust?: 'user' | 'other' | 'assistant' | 'document' | 'tool';
    /**
     * All who said it, where these are several.
     */
    said_by?: ('user' | 'other' | 'assistant' | 'document' | 'tool')[];
    reason: 'no_room' | 'not_relevant' | 'not_chosen' | 'not_trusted' | 'instruction' | 'empty' | 'told';
  }[];
}
