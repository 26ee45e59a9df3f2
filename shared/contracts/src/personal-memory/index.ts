import { FOLLOW_CHANGE, followChangeContract } from '../derivations.ts';
import { entityOperations } from './entities.ts';
import { eventOperations } from './events.ts';
import { profileOperations } from './profile.ts';
import { transferOperations } from './transfer.ts';

export { nameField, shareField, tagsField, textField } from './fields.ts';
export * from './words.ts';

/** What the operations of personal memory take and answer. */
export const personalMemory = {
  ...profileOperations,
  ...entityOperations,
  ...eventOperations,
  ...transferOperations,
  [FOLLOW_CHANGE]: followChangeContract,
} as const;
/** One of {@link personalMemory}. */
export type PersonalMemoryContract = typeof personalMemory;
