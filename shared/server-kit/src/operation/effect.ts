import type { AccessScope } from '@contextloom/access';
import type { ToolAnnotations } from '../tool/tool.ts';

/** What an operation does to what is stored; `runs` is for work that is more than one of them, such as a job. */
export const effects = ['reads', 'adds', 'replaces', 'deletes', 'runs'] as const;

/** One of {@link effects}. */
export type Effect = (typeof effects)[number];

/** What the effect does not tell of an operation. */
export interface EffectHints {
  /** Whether the same call again changes nothing more. */
  readonly isIdempotent?: boolean;
  /** Whether it may take away what was stored. */
  readonly isDestructive?: boolean;
  /** Whether it reaches outside, such as a model's API. */
  readonly isOpenWorld?: boolean;
}

const usual: Readonly<Record<Effect, Required<Omit<EffectHints, 'isOpenWorld'>>>> = {
  reads: { isIdempotent: true, isDestructive: false },
  adds: { isIdempotent: false, isDestructive: false },
  replaces: { isIdempotent: true, isDestructive: true },
  deletes: { isIdempotent: true, isDestructive: true },
  runs: { isIdempotent: false, isDestructive: false },
};

/** The four hints of the protocol. Source: MCP 2025-11-25, tool annotations. */
export function toAnnotations(effect: Effect, hints: EffectHints = {}): ToolAnnotations {
  const { isIdempotent, isDestructive, isOpenWorld = false } = { ...usual[effect], ...hints };
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: isDestructive,
    idempotentHint: isIdempotent,
    openWorldHint: isOpenWorld,
  };
}

/** The scope that a caller needs. */
export function scopeOf(effect: Effect): AccessScope {
  return effect === 'reads' ? 'read' : 'write';
}
