import { z } from 'zod';

/** A setting that is on or off: `true`, `1` or `yes`, and their opposites. */
export const yesOrNo = z.stringbool({
  truthy: ['true', '1', 'yes'],
  falsy: ['false', '0', 'no'],
  error: 'must be true or false',
});

/** A setting that is a whole number in a range; `unit`, such as `milliseconds`, is for the error alone. */
export function wholeNumber(least: number, most: number, unit?: string) {
  const message = `must be a whole number ${unit === undefined ? '' : `of ${unit} `}from ${least} to ${most}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
}
