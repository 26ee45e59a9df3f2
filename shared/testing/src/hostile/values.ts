import fc from 'fast-check';

/** Whose ids are spelt: the caller's, and those that it must not reach. */
export interface Names {
  readonly own: string;
  readonly foreign: string;
}

const OFFSET_OF_FULL_WIDTH = 0xfee0;

const toFullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + OFFSET_OF_FULL_WIDTH));

/** Ways to write a name by which somebody may try to be taken for another. */
const spellings = (name: string): readonly string[] => [
  name,
  name.toUpperCase(),
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  toFullWidth(name),
  ` ${name}`,
  `${name} `,
  `${name}\n`,
  `\u0000${name}`,
  `${name}\u0000`,
  `${name}\u200b`,
  `\ufeff${name}`,
  name.slice(0, -1),
  `${name}2`,
  `${name}/`,
  `../${name}`,
  `${name}%00`,
  encodeURIComponent(` ${name}`),
  `${name}' OR '1'='1`,
  `"${name}"`,
  `${name}\\`,
  `${name}#`,
  `${name}?`,
  `${name.charAt(0)}%`,
  `${name.charAt(0)}*`,
];

/** A value where an id is expected. */
export function hostileId({ own, foreign }: Names): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...spellings(foreign)) },
    { weight: 2, arbitrary: fc.constantFrom(...spellings(own), `${own},${foreign}`, '', '*', '%', 'null', 'all') },
    fc.constantFrom<unknown>(
      ...[null, true, 0, -1, 1e308, [foreign], [own, foreign], [], {}, { id: foreign }, { $in: [foreign, own] }],
      ...[{ in: [foreign] }, { $ne: own }, { $gt: '' }, { $regex: '.*' }, { $or: [{ user_id: foreign }] }],
    ),
    fc.string({ maxLength: 8 }),
  );
}

/** Principals by which a caller may try to be taken for another: such a claim can only take rights away. */
export function forgedPrincipals({ foreign }: Names): readonly unknown[] {
  const all = { name: 'house', users: 'all', projects: 'all', scopes: ['read', 'write', 'admin'] };
  return [
    all,
    { ...all, users: [foreign] },
    { ...all, name: foreign, projects: [foreign] },
    { ...all, users: '*' },
    [all],
  ];
}

/** A filter over metadata that names ids wherever one can be named. */
export function hostileFilter(names: Names): fc.Arbitrary<unknown> {
  const id = hostileId(names);
  return fc.letrec((tie) => ({
    leaf: fc.oneof(
      id.map((user_id) => ({ user_id })),
      id.map((project_key) => ({ project_key })),
      id.map((value) => ({ 'metadata.user_id': value })),
      fc.constant({}),
    ),
    node: fc.oneof(
      { depthSize: 'small' },
      tie('leaf'),
      fc.array(tie('node'), { maxLength: 3 }).map((parts) => ({ $or: parts })),
      fc.array(tie('node'), { maxLength: 3 }).map((parts) => ({ $and: parts })),
      tie('node').map((part) => ({ $not: part })),
      tie('node').map((part) => ({ $nor: [part] })),
    ),
  })).node;
}
