export { type FoundConversation, toNameKey } from './formats/assemble.ts';
export type { GraphPart } from './formats/graph-part.ts';
export { parseHistory } from './formats/json/history.ts';
export type { DayOrder } from './formats/reader.ts';
export { parseTranscript } from './formats/text/transcript-text.ts';
export { openSource } from './sources/open-source.ts';
export { type Found, type ReadSourceOptions, readSource } from './sources/read-source.ts';
export type { Source } from './sources/source.ts';
