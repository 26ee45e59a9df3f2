import type { Finding } from '../secrets/finding.ts';
import { createKindMask, type maskKinds, replaceFindings } from '../secrets/mask-secrets.ts';
import { createExpression } from './expressions.ts';

/** What is to be masked. */
export interface MaskRule {
  readonly kinds: readonly (typeof maskKinds)[number][];
  /** Expressions of a person's own, in RE2's syntax. */
  readonly expressions: readonly string[];
}

/** Builds the mask of a rule. @throws Error for an expression that cannot be one */
export function createMask({ kinds, expressions }: MaskRule): (text: string) => string {
  const maskKindsOf = createKindMask(kinds);
  const compiled = expressions.map(createExpression);
  return (text) => {
    const masked = kinds.length === 0 ? text : maskKindsOf(text).text;
    const findings = compiled.flatMap(({ find }): readonly Finding[] => find(masked));
    return findings.length === 0 ? masked : replaceFindings(masked, findings).text;
  };
}
