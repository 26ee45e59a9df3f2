export { type Accounts, createAccounts } from './accounts.ts';
export type { Credential, OAuthLogin, StoredCredential } from './credential.ts';
export { type CredentialStore, openCredentialStore } from './credential-store.ts';
export { type LogInOptions, logIn } from './log-in.ts';
export { accountSettings } from './settings.ts';
