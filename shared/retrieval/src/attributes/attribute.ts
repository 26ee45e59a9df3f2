/** A value of a person's profile; `key` where its shape says another attribute than the words before it. */
export interface AttributeValue {
  readonly value: string;
  readonly key?: string;
}

/** Reads the value at the beginning of what follows "My name is"; undefined where it is not surely one. */
export type ReadValue = (text: string) => AttributeValue | undefined;

/** Reads what is no other attribute than the words before it say: a hometown that is a country is not where somebody lives. */
export const onlySame =
  (read: ReadValue): ReadValue =>
  (text) => {
    const found = read(text);
    return found?.key === undefined ? found : undefined;
  };

/** An attribute that a person has one of, the words that a sentence about it begins with, and the shape of its values. */
export interface Attribute {
  readonly key: string;
  readonly opening: RegExp;
  readonly read: ReadValue;
}
