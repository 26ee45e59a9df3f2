export type { DocumentAddress, KnowledgeBase } from '@contextloom/contracts';

/** Whether documents are kept apart by user: `off` gives every call every document. */
export type Isolation = 'strict' | 'off';
