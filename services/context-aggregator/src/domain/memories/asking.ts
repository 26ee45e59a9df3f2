/** What a user says to whom. */
export interface Asking {
  readonly query: string;
  /** What the persona is called. */
  readonly names: readonly string[];
}
