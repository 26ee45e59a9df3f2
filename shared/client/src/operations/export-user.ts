// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `export_user`: Export a user from all servers.
 */
export interface ExportUserInput {
  /**
   * The user to export.
   */
  user_id?: string;
  /**
   * The next_cursor of the page before; without it the first page.
   */
  cursor?: string;
}

/**
 * The answer of `export_user`.
 */
export interface ExportUserOutput {
  /**
   * Names what the lines are.
   */
  format: string;
  /**
   * The version of the format.
   */
  version: number;
  /**
   * JSON Lines: one record a line, each with its newline.
   */
  lines: string;
  /**
   * Asks for the next page; absent on the last.
   */
  next_cursor?: string;
  unreached: {
    what: string;
    why: string;
    server: string;
  }[];
  /**
   * Which server the lines are of; empty where there are none.
   */
  server: string;
  /**
   * Which service that is.
   */
  service: string;
}
