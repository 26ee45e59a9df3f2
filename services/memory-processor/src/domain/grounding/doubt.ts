/** What keeps a fact from being certain: a model that is asked may say otherwise. */
export interface Doubt {
  readonly reason: string;
  /** Whether the fact is refused when nobody is asked. */
  readonly isRefused: boolean;
}
