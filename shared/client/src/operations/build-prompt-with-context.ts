// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `build_prompt_with_context`: Build a prompt with memories.
 */
export interface BuildPromptWithContextInput {
  /**
   * The persona, e.g. "uozumi".
   */
  persona_name: string;
  /**
   * The user whose memory this is.
   */
  user_id?: string;
  /**
   * What the user says now; memories are searched with it.
   */
  user_query?: string;
  /**
   * What was said before: text of "Name: words" lines, or a list of turns. The last turns join "user_query" in searches, so that "and for Ros?" finds what it goes on from.
   */
  conversation?:
    | string
    | {
        /**
         * The name of the turn in its source, e.g. "D1:3".
         */
        id?: string | number;
        /**
         * Who speaks, e.g. "user".
         */
        role?: string;
        /**
         * The name to show for the speaker, instead of "role".
         */
        speaker?: string;
        /**
         * What was said: text, or a list of content parts.
         */
        content?:
          | string
          | {
              /**
               * "text", "image", …; a part without a type is text.
               */
              type?: string;
              /**
               * What was said, in a part of text.
               */
              text?: string;
              mediaType?: string;
            }[];
        /**
         * The same as "content", as a list of parts.
         */
        parts?: {
          /**
           * "text", "image", …; a part without a type is text.
           */
          type?: string;
          /**
           * What was said, in a part of text.
           */
          text?: string;
          mediaType?: string;
        }[];
        /**
         * The same as "content".
         */
        text?: string;
        /**
         * When it was said: ISO 8601, or seconds or milliseconds since 1970.
         */
        timestamp?: string | number;
      }[];
  /**
   * How many memories, 1 to 100; without it 3, or as many as fit into "max_tokens" where that is set.
   */
  memory_top_k?: number;
  /**
   * Most tokens of all that is not the persona (o200k_base).
   */
  max_tokens?: number;
  /**
   * What the persona calls the user, if not the persona's default.
   */
  user_name?: string;
  /**
   * What the persona is called, if not the persona's default.
   */
  char_name?: string;
  /**
   * The time of the call (ISO 8601). When given, the prompt says what day it is.
   */
  now?: string;
  /**
   * Whether the prompt says what day it is, and that later entries supersede earlier ones.
   */
  prompt_notes?: boolean;
  /**
   * The language of the headings; the persona's when absent.
   */
  prompt_language?: 'zh' | 'en' | 'ja';
  /**
   * Whether what is not the persona stands between marks made for this prompt.
   */
  fence?: boolean;
  /**
   * Where memories stand, "before_persona" by default. With "last_message" the prompt is the persona and what seldom changes, and the part "recall" goes with the newest message of the user, so that a provider can cache all before it.
   */
  placement?: 'before_persona' | 'after_persona' | 'last_message';
  /**
   * Lines that the conversation has already, by the "ids" of earlier parts or ids of documents; left out.
   *
   * @maxItems 2000
   */
  told?: string[];
}

/**
 * The answer of `build_prompt_with_context`.
 */
export interface BuildPromptWithContextOutput {
  prompt: string;
  status: 'complete' | 'partial';
  sources: {
    server: string;
    status: 'ok' | 'failed';
    reason?: string;
  }[];
  /**
   * What the prompt is made of, in the order persona, core, recall.
   */
  parts?: {
    kind: 'persona' | 'core' | 'recall';
    /**
     * Empty where there is nothing of the kind.
     */
    text: string;
    tokens: number;
    /**
     * SHA-256 of the text: the same as long as the text is.
     */
    digest: string;
    /**
     * Of "recall": what "told" of a later call names its lines by.
     */
    ids?: string[];
  }[];
  manifest?: {
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
  /**
   * How many more were found, and the best relevance of them, 0 to 1.
   */
  withheld?: {
    count: number;
    best_relevance?: number;
  };
}
