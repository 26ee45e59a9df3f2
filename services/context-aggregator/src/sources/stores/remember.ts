import { createHash } from 'node:crypto';
import { MEMORY_TAG } from '@contextloom/contracts';
import { z } from 'zod';
import type { Filing } from '../../domain/stores/filing.ts';
import type { MemoryAddress } from '../../domain/stores/memory-id.ts';
import { KNOWLEDGE_BASE } from '../memories/memory-source.ts';
import { type Answer, bySchema } from './ask-store.ts';
import { keepSentence } from './fact-sentence.ts';
import { mapAnswer, type StoreContext } from './memory-store.ts';
import { PERSONAL_MEMORY } from './personal.ts';
import { ingest, PROJECT_MEMORY } from './project.ts';

/** A text that is stored, and where. */
export interface Remembered extends MemoryAddress {
  readonly service: string;
  /** What the profile said before. */
  readonly previous?: string | undefined;
  /** Why the sentence of a fact could not be kept next to it. */
  readonly unsaid?: string | undefined;
}

const profileSchema = z.object({ previous_value: z.string().nullable() });
const eventSchema = z.object({ event_id: z.int() });
const addedSchema = z.object({ document_id: z.string() });

/** Of 1 to 10, where the processor rates what is said in conversations: what somebody asks to remember matters. */
const IMPORTANCE = 7;

/** Stores a text as it was filed. */
export async function rememberText(
  text: string,
  filing: Filing,
  context: StoreContext & { readonly now: Date },
): Promise<Answer<Remembered>> {
  const { ask, userId: user_id } = context;
  if (filing.kind === 'fact') {
    const { key, value } = filing;
    const call = { service: PERSONAL_MEMORY, tool: 'update_profile', isChange: true, read: bySchema(profileSchema) };
    const stored = await mapAnswer(ask({ ...call, args: { key, value, user_id } }), ({ previous_value }) => ({
      kind: 'fact' as const,
      own: key,
      service: PERSONAL_MEMORY,
      previous: previous_value ?? undefined,
    }));
    // "Where do I live?" finds the sentence, where the fact has other words.
    if (stored.kind === 'failed') return stored;
    const kept = await keepSentence({ key, value, text }, context);
    return kept.kind === 'ok' ? stored : { kind: 'ok', value: { ...stored.value, unsaid: kept.reason } };
  }
  if (filing.kind === 'event') {
    const { day } = filing;
    const call = { service: PERSONAL_MEMORY, tool: 'add_event', isChange: true, read: bySchema(eventSchema) };
    const args = { event_type: 'other', description: text, user_id, ...(day !== undefined && { timestamp: day }) };
    return mapAnswer(ask({ ...call, args }), ({ event_id }) => ({
      kind: 'event',
      own: String(event_id),
      service: PERSONAL_MEMORY,
    }));
  }
  return rememberNote(text, context);
}

/** The same note again is the same document. */
function rememberNote(
  text: string,
  { ask, userId: user_id, now }: StoreContext & { readonly now: Date },
): Promise<Answer<Remembered>> {
  const doc_id = `note-${createHash('sha256')
    .update(JSON.stringify([user_id, text]))
    .digest('hex')
    .slice(0, 32)}`;
  const at = now.toISOString();
  // What somebody asks to remember they say now: a prompt tells its day.
  const metadata = { user_id, importance: IMPORTANCE, created_at: at, occurred_at: at, occurred_at_source: 'call' };
  const call = { service: KNOWLEDGE_BASE, tool: 'add_document', isChange: true, read: bySchema(addedSchema) };
  const args = { doc_id, content: text, tags: [MEMORY_TAG, 'note'], metadata };
  return mapAnswer(ask({ ...call, args }), ({ document_id: own }) => ({
    kind: 'note',
    own,
    service: KNOWLEDGE_BASE,
  }));
}

/** Stores what was learned about a project. */
export function rememberInProject(
  text: string,
  { project, ask }: Pick<StoreContext, 'ask'> & { readonly project: string },
): Promise<Answer<Remembered>> {
  const memory = { project_key: project, content_type: 'insight', content: text };
  return mapAnswer(ingest({ ask }, memory), (own) => ({ kind: 'project', own, service: PROJECT_MEMORY }));
}
