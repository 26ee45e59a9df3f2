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

/** Thrown where a login cannot be renewed for the moment: its authorization server is away. */
export class LoginAwayError extends Error {
  readonly account: AccountName;

  constructor(account: AccountName, cause: unknown) {
    super('the login cannot be renewed now', { cause });
    this.account = account;
  }
}
