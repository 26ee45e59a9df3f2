// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `remember`: Remember.
 */
export interface RememberInput {
  text: string;
  /**
   * By default: fact for "I live in …", event if it names a day, else note.
   */
  kind?: 'fact' | 'event' | 'note';
  /**
   * Of a fact: what the text is the value of, e.g. city.
   */
  key?: string;
  /**
   * Of an event: e.g. 2026-05-01, yesterday.
   */
  day?: string;
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
