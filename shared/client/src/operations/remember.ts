// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `remember`: Remember.
 */
export interface RememberInput {
  text: string;
  /**
   * Else: fact for "I live in …", event with a day, or note.
   */
  kind?: 'fact' | 'event' | 'note';
  /**
   * Of a fact: city.
   */
  key?: string;
  /**
   * Of an event: yesterday.
   */
  day?: string;
  said_by?: 'user' | 'other' | 'assistant' | 'document' | 'tool';
  /**
   * Also this project.
   */
  project?: string;
  /**
   * The user whose memory this is.
   */
  user_id?: string;
}

/**
 * The answer of `remember`.
 */
export interface RememberOutput {
  id: string;
  kind: 'fact' | 'event' | 'note' | 'typed' | 'entity' | 'agent' | 'project';
  store: string;
  message: string;
}
