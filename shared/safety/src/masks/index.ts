export { maskKinds } from '../secrets/mask-secrets.ts';
export { createMask, type MaskRule } from './create-mask.ts';
export { findExpressionProblem } from './expressions.ts';
