/** Keys by which a value says whose it is. */
const OWNER_KEYS = ['user_id', 'owner'];

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whose a value says it is: by `user_id` and `owner`, and as documents do, by the `user_id` of its metadata. */
export function readOwners(value: unknown): readonly unknown[] {
  if (!isFields(value)) return [];
  const { metadata } = value;
  const own = OWNER_KEYS.filter((key) => Object.hasOwn(value, key)).map((key) => value[key]);
  return isFields(metadata) && Object.hasOwn(metadata, 'user_id') ? [...own, metadata['user_id']] : own;
}

/** Whether every mark is the user's own id, as a text: 42 is not "42", and an empty owner is not the user. */
export function isOwn(owners: readonly unknown[], userId: string): boolean {
  return owners.every((owner) => owner === userId);
}
