import fc from 'fast-check';

/** Ids of users that look like those of victims, like lists of them, like the scope of all, and like SQL. */
export function hostileOwners(victims: readonly string[]): fc.Arbitrary<string> {
  const lists = [victims.map((name) => JSON.stringify(name)), victims].map((names) => names.join('\n'));
  const spelt = victims.flatMap((name) => [name, `u:${name}`, JSON.stringify(name), `{${name}}`]);
  const odd = ['*', "' OR true --", "'; RESET ROLE; --", '\\', "\\'", 'null'];
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom(...odd, ...lists, ...spelt),
    fc.tuple(fc.constantFrom(...victims, '*'), fc.string({ maxLength: 4 })).map((parts) => parts.join('')),
  );
}
