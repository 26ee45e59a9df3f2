import type { BuildPromptResponse, ExtractorInfo, GetUserMemoriesResponse, Memory } from '@contextloom/contracts';

type FoundMemory = GetUserMemoriesResponse['memories'][number];

/** What one conversation became. Durations are in milliseconds. */
export interface StoredConversation {
  readonly user_id: string;
  readonly conversation: string;
  readonly turns: number;
  readonly sessions: number;
  readonly from: string;
  readonly to: string;
  readonly memories_extracted: number;
  readonly memories_saved: number;
  /** Null when the memory processor does not report it. */
  readonly extractor: ExtractorInfo | null;
  readonly duration_ms: number;
  /** The most important ones, best first. */
  readonly memories: readonly FoundMemory[];
}

/** What one question found. */
export interface AnsweredQuestion {
  readonly user_id: string;
  readonly persona: string;
  readonly language: 'en' | 'zh';
  readonly question: string;
  /** Words that a memory which answers the question contains: any of these. */
  readonly evidence: readonly string[];
  /** Whether the memories contain the words that answer the question. */
  readonly found: boolean;
  readonly memories: readonly FoundMemory[];
  readonly duration_ms: number;
  /** The final system prompt, and which sources it was made from. */
  readonly prompt: BuildPromptResponse;
  readonly prompt_duration_ms: number;
}

/** What the demo reports. */
export interface DemoReport {
  readonly folder: string;
  readonly kept: boolean;
  readonly embedder: string;
  readonly conversations: readonly StoredConversation[];
  readonly questions: readonly AnsweredQuestion[];
  readonly duration_ms: number;
}

/** Whether any memory contains any of the words that count as evidence. */
export function containsEvidence(memories: readonly Pick<Memory, 'content'>[], evidence: readonly string[]): boolean {
  return memories.some(({ content }) => evidence.some((words) => content.includes(words)));
}

/** The part of a memory that answers a question: from the turn with the evidence on; the whole text without evidence. */
export function fromEvidence(content: string, evidence: readonly string[]): string {
  const turns = content.split('\n');
  const at = turns.findIndex((turn) => evidence.some((words) => turn.includes(words)));
  return at <= 0 ? content : `… ${turns.slice(at).join('\n')}`;
}
