export { isInstruction } from './instructions.ts';
export { type MaskedText, maskSecrets, type SecretKind } from './mask-secrets.ts';
