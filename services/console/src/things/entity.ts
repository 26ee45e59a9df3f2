/** A person or a thing. */
export interface Entity {
  readonly id: number;
  readonly entity_type: 'pet' | 'property' | 'vehicle' | 'person' | 'other';
  readonly name: string | null;
  readonly aliases: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: string;
  /** ISO 8601. */
  readonly updated_at: string;
}

/** What one entity is to another. */
export interface Relation {
  readonly id: number;
  readonly entity_id_1: number;
  readonly entity_id_2: number;
  readonly relation_type: string;
}
