export { createMemoryProcessor } from './create-memory-processor.ts';
export type { CountTokens, EpisodeWindow, WindowTurn } from './domain/episodes.ts';
export type { NotSaved } from './domain/extract-window.ts';
export type { EpisodeRating, Extraction, ExtractionContext, Extractor, Fact } from './domain/extractor.ts';
export { parseTranscript } from './domain/formats/transcript-text.ts';
export type { ExtractedMemory } from './domain/memory-documents.ts';
export {
  MemoryProcessor,
  type MemoryProcessorOptions,
  type RatedMemory,
  type ReadOptions,
  type TranscriptRequest,
} from './domain/memory-processor.ts';
export type { RecordOutcome, RecordRequest, RunOptions } from './domain/record-transcript.ts';
export { createRulesExtractor } from './domain/rules-extractor.ts';
export type { Conversation, Session, Turn } from './domain/transcript.ts';
export { createHttpMemoryStore, type HttpMemoryStoreOptions } from './store/http-memory-store.ts';
export { createMcpMemoryStore } from './store/mcp-memory-store.ts';
export type { MemoryDocument, MemoryStore, RecordedMemory } from './store/memory-store.ts';
