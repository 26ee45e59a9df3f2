/** What may be wrong with a fact whose words were said: they were denied, asked, supposed, quoted, or said of somebody else. */
export interface Doubt {
  readonly reason: string;
  /** Whether rules refuse the fact when nobody can be asked. */
  readonly isRefused: boolean;
}
