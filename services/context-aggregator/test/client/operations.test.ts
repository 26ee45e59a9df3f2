import { expect, it } from '@jest/globals';
import { readClientFiles, toClientFiles } from '../support/client-operations.ts';

it('has the client typed from the operations as they are: "npm run client:operations" writes its files', async () => {
  expect(await readClientFiles()).toEqual(await toClientFiles());
});
