import { knowledgeBase } from '@contextloom/contracts';
import { z } from 'zod';

const answerSchema = knowledgeBase.search_documents.output;
const { id, content, tags, metadata, score, relevance } = answerSchema.shape.results.element.shape;

/** Knowledge bases of others number their documents, and say null of what there is not. */
const foundDocumentSchema = z.object({
  id: z.union([id, z.number()]).nullish(),
  content,
  tags: tags.nullish(),
  metadata: metadata.nullish(),
});

const scores = { score: score.nullish(), relevance: relevance.nullish() };

// Two generations of knowledge bases answer differently: fields on the result itself, or under "document".
const resultSchema = z.union([
  foundDocumentSchema.extend(scores),
  z
    .object({ document: foundDocumentSchema, ...scores })
    .transform(({ document, ...rest }) => ({ ...document, ...rest })),
]);

const searchAnswerSchema = answerSchema
  .pick({ success: true, results: true })
  .partial({ success: true })
  .extend({ results: z.array(resultSchema), confidence: answerSchema.shape.confidence.nullish() });
const { total } = knowledgeBase.list_documents.output.shape;
const listAnswerSchema = z.object({ total: total.nonnegative() });

/** A memory as a knowledge base returned it; `id` is "" when it gave none. */
export interface FoundMemory {
  readonly id: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Higher is better; comparable within one search. */
  readonly score?: number | undefined;
  /** 0 to 1, comparable between searches, where the knowledge base tells it. */
  readonly relevance?: number | undefined;
}

/** What an upstream tool answered: its text, and its structured content where it gave one. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured?: unknown;
}

/** What one search found, best first. */
export interface FoundMemories {
  readonly memories: readonly FoundMemory[];
  /** How sure it is that any of the user's memories answers, 0 to 1, where the knowledge base tells it. */
  readonly confidence?: number | undefined;
}

/** A search answer that was read, or the finding that it cannot be; `foreign` counts results that are not the user's. */
export type MemoryReading =
  | (FoundMemories & { readonly kind: 'read'; readonly foreign: number })
  | { readonly kind: 'invalid' };

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the schema refuses undefined, and the answer counts as unreadable.
  }
}

/** Reads a tool's answer by a schema: the structured content first, else the text as JSON; `undefined` when neither fits. */
export function parseAnswer<Output>(schema: z.ZodType<Output>, answer: ToolAnswer): Output | undefined {
  const structured = schema.safeParse(answer.structured);
  if (structured.success) return structured.data;
  return schema.safeParse(parseJson(answer.text)).data;
}

/**
 * Reads the answer of `search_documents`, flat or nested, and keeps only what is marked as the user's own: a knowledge base
 * that ignores the filter must not show one user's memories to another.
 */
export function parseSearchAnswer(answer: ToolAnswer, userId: string): MemoryReading {
  const parsed = parseAnswer(searchAnswerSchema, answer);
  if (parsed === undefined) return { kind: 'invalid' };
  const found = parsed.results.map((result) => ({
    id: String(result.id ?? ''),
    content: result.content,
    tags: result.tags ?? [],
    metadata: result.metadata ?? {},
    ...(typeof result.score === 'number' && { score: result.score }),
    ...(typeof result.relevance === 'number' && { relevance: result.relevance }),
  }));
  const memories = found.filter((memory) => memory.metadata['user_id'] === userId);
  const foreign = found.length - memories.length;
  // What another user's documents answer is not known of this user's.
  const confidence = foreign === 0 ? (parsed.confidence ?? undefined) : undefined;
  return { kind: 'read', memories, foreign, confidence };
}

/** Reads the `total` of a `list_documents` answer; `undefined` if it has none. */
export function parseTotal(answer: ToolAnswer): number | undefined {
  return parseAnswer(listAnswerSchema, answer)?.total;
}
