// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `import_user`: Import a user.
 */
export interface ImportUserInput {
  /**
   * Whose they are.
   */
  user_id?: string;
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
   * The server that wrote them; without it another of the same service takes them.
   */
  server: string;
  /**
   * The service that wrote them.
   */
  service: string;
}

/**
 * The answer of `import_user`.
 */
export interface ImportUserOutput {
  /**
   * Records that are new here.
   */
  imported: number;
  /**
   * Records that were here already.
   */
  known: number;
  /**
   * The first hundred records that were not taken in, and why.
   */
  refused: {
    record: string;
    problem: string;
  }[];
  refused_count: number;
}
