import { expect, it } from '@jest/globals';
import { toOwnFolder } from '../src/composition/installed-composition.ts';

it('keeps a composition of the user out of an installed package, on every system', () => {
  const config = '/home/ann/.config/contextloom';
  expect(toOwnFolder('/usr/lib/node_modules/contextloom', config)).toBe(config);
  expect(toOwnFolder('C:\\Users\\安\\AppData\\Roaming\\npm\\node_modules\\contextloom', config)).toBe(config);
  expect(toOwnFolder('/home/ann/contextloom', config)).toBe('/home/ann/contextloom');
  expect(toOwnFolder('D:\\src\\contextloom', config)).toBe('D:\\src\\contextloom');
  expect(toOwnFolder('/home/ann/my_node_modules/contextloom', config)).toBe('/home/ann/my_node_modules/contextloom');
});
