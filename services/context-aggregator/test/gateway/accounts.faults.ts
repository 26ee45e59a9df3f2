import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AccountGateway, callMixed, startAccountGateway } from '../support/account-gateway.ts';

let gateway: AccountGateway;
beforeEach(async () => {
  gateway = await startAccountGateway();
});
afterEach(() => gateway.close());

it('answers no caller over the account of another while tokens are renewed and sessions lost', async () => {
  const { wrong, mixed, replayed } = await callMixed(gateway, 4);
  expect({ wrong, mixed, replayed }).toEqual({ wrong: 0, mixed: 0, replayed: 0 });
});
