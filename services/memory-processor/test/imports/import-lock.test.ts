import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { lockImport } from '../../src/imports/journal/import-lock.ts';
import { createFolder } from '../support/knowledge-base.ts';

let folder = '';
let remove = async (): Promise<void> => undefined;
beforeAll(async () => {
  ({ path: folder, remove } = await createFolder());
});
afterAll(() => remove());

it('an import is worked on by one at a time, and others meanwhile', () => {
  const release = lockImport(folder, 'a1');
  expect(() => lockImport(folder, 'a1')).toThrow(
    expect.objectContaining({
      code: 'conflict',
      message: 'import a1 is under way in another process, which goes on with it',
    }),
  );
  lockImport(folder, 'b2')();
  release();
  lockImport(folder, 'a1')();
});
