export { FENCE_MARK_LENGTH, toFenced } from './fence.ts';
export { isInstruction, isTakeover } from './instructions/instructions.ts';
export { type MaskedText, maskSecrets, type SecretKind } from './secrets/mask-secrets.ts';
