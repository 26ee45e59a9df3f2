/** What an attribute of the user is about. */
export const categories = ['basic_info', 'preferences', 'habits'] as const;
/** One of {@link categories}. */
export type Category = (typeof categories)[number];

/** What kinds of things are remembered. */
export const entityTypes = ['pet', 'property', 'vehicle', 'person', 'other'] as const;
/** One of {@link entityTypes}. */
export type EntityType = (typeof entityTypes)[number];

/** What somebody is to the user: the kind of a person or a pet that was read in what the user said. */
export const relationKinds = [
  'son',
  'daughter',
  'child',
  'mother',
  'father',
  'sister',
  'brother',
  'wife',
  'husband',
  'partner',
  'friend',
  'colleague',
  'neighbour',
  'relative',
  'pet',
] as const;
/** One of {@link relationKinds}. */
export type RelationKind = (typeof relationKinds)[number];

/** Whether a thing is still part of the user's life. */
export const statuses = ['active', 'inactive'] as const;
/** One of {@link statuses}. */
export type Status = (typeof statuses)[number];

/** What kinds of things happen. */
export const eventTypes = ['purchase', 'illness', 'maintenance', 'activity', 'milestone', 'other'] as const;
/** One of {@link eventTypes}. */
export type EventType = (typeof eventTypes)[number];

/** How a version came about; the version of a deletion has the deleted value. */
export const changeKinds = ['set', 'rollback', 'delete'] as const;
/** One of {@link changeKinds}. */
export type ChangeKind = (typeof changeKinds)[number];

/** Whether one keyword is enough, or all have to be there. */
export const matchModes = ['any', 'all'] as const;
/** One of {@link matchModes}. */
export type MatchMode = (typeof matchModes)[number];

/** How events can be grouped. */
export const groupings = ['type', 'month', 'entity'] as const;
/** One of {@link groupings}. */
export type Grouping = (typeof groupings)[number];

/** The formats in which memories leave and enter. */
export const transferFormats = ['json', 'csv'] as const;
/** One of {@link transferFormats}. */
export type TransferFormat = (typeof transferFormats)[number];

/** How many events a call lists that does not say. */
export const usualLimits = { search: 20, timeline: 10 } as const;
