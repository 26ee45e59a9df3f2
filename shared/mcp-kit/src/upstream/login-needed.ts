/** Whose account it is, and where; without a user that of the server's entry. */
export interface AccountName {
  readonly server: string;
  readonly user: string | undefined;
}

/** Thrown where an account has no login any more that can be renewed. */
export class LoginNeededError extends Error {
  readonly account: AccountName;

  constructor(account: AccountName, cause?: unknown) {
    super('a new login is needed', { cause });
    this.account = account;
  }
}
