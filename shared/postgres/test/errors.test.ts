import { ContextloomError } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { databaseUrlSchema, toDatabaseError, toDatabaseName } from '../src/index.ts';

describe('what a database throws', () => {
  it.each([
    ['28P01', 'unavailable', 'refuses this user, password or name'],
    ['3D000', 'unavailable', 'refuses this user, password or name'],
    ['42501', 'unavailable', 'make or use the schema notes: grant it CREATE on the database'],
    ['53100', 'no_space', 'is full'],
    ['55P03', 'unavailable', 'waited too long for a lock'],
    ['25006', 'unavailable', 'is read-only'],
    ['57P01', 'unavailable', 'cannot be reached'],
    ['ECONNREFUSED', 'unavailable', 'cannot be reached'],
    ['22P02', 'unavailable', 'refused a statement'],
  ])('%s becomes %s, in a sentence that names the setting', (code, kind, why) => {
    const error = toDatabaseError(Object.assign(new Error('foreign text'), { code }), 'notes');
    expect(error).toMatchObject({ code: kind, message: expect.stringContaining(why) });
    expect(error.message).toContain('DATABASE_URL');
    expect(error.message).not.toContain('foreign');
  });

  it('stays what it is where it is an error of ours', () => {
    const own = new ContextloomError('conflict', 'another rebuild goes on');
    expect(toDatabaseError(own, 'notes')).toBe(own);
  });
});

it('names a database without user and password', () => {
  expect(toDatabaseName('postgres://me:secret@db.example:5433/memory')).toBe(
    'the Postgres database db.example:5433/memory',
  );
  expect(databaseUrlSchema.safeParse('mysql://db/memory').success).toBe(false);
});
