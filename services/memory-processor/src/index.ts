export { type ChatModel, createChatModel } from '@contextloom/llm';
export { parseTranscript } from '@contextloom/transcripts';
export type { Conversation, Session, Turn } from '@contextloom/transcripts/transcript';
export { createMemoryProcessor, MemoryProcessor, type MemoryProcessorOptions } from './create-memory-processor.ts';
export type {
  EpisodeRating,
  Extraction,
  ExtractionContext,
  Extractor,
  Fact,
  RejectedFact,
  Usage,
} from './domain/extractor.ts';
export type { FailedPiece, NotSaved } from './domain/ingest/extract-window.ts';
export type { RecordEstimate } from './domain/ingest/record-estimate.ts';
export type { RecordOutcome, RecordRequest, RunOptions, UndatedTurns } from './domain/ingest/recording.ts';
export type { ExtractedMemory } from './domain/memory-documents.ts';
export type {
  ExtractionOutcome,
  RatedMemory,
  ReadOptions,
  TranscriptRequest,
} from './domain/memory-processor.ts';
export type { MemoryDocument, MemoryStore, RecordedMemory } from './domain/memory-store.ts';
export { createRulesExtractor } from './domain/rules-extractor.ts';
export type { CountTokens } from './domain/windows/cut-text.ts';
export type { EpisodeWindow } from './domain/windows/episodes.ts';
export type { WindowTurn } from './domain/windows/window-turns.ts';
export { createModelExtractor, type ModelExtractorOptions } from './extraction/model-extractor.ts';
export { createHttpMemoryStore, type HttpMemoryStoreOptions, openMemoryStore } from './open-memory-store.ts';
