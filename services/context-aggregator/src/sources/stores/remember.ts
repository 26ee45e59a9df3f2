import { createHash } from 'node:crypto';
import {
  type JsonObject,
  type KnowledgeBaseContract,
  knowledgeBase,
  MEMORY_TAG,
  readOnly,
  type Trust,
  toTrustMetadata,
} from '@contextloom/contracts';
import { type PersonalMemoryContract, personalMemory } from '@contextloom/contracts/personal-memory';
import type { Classification } from '../../domain/stores/classify-memory.ts';
import type { MemoryAddress } from '../../domain/stores/memory-id.ts';
import { KNOWLEDGE_BASE } from '../memories/memory-source.ts';
import { type Answer, bySchema, toQuestion } from './ask-store.ts';
import { keepSentence, toSentenceAddress } from './fact-sentence.ts';
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
  /** When it is forgotten, ISO 8601, as far as the store tells. */
  readonly expiresAt?: string | undefined;
}

/** What is stored with a text, whatever it is. */
interface Remembering extends StoreContext {
  readonly now: Date;
  readonly saidBy: Trust;
  /** When it is forgotten, ISO 8601. */
  readonly expiresAt?: string | undefined;
}

/** The field of an end, as every store takes it. */
const toEndField = (expiresAt: string | undefined): { readonly expires_at?: string } =>
  expiresAt === undefined ? {} : { expires_at: expiresAt };

const profileSchema = readOnly(personalMemory.update_profile.output, { previous_value: true, expires_at: true });
const eventSchema = readOnly(personalMemory.add_event.output, { event_id: true });
const addedSchema = readOnly(knowledgeBase.add_document.output, { document_id: true });
const toPersonal = toQuestion<PersonalMemoryContract>(PERSONAL_MEMORY);
const toKnowledgeBase = toQuestion<KnowledgeBaseContract>(KNOWLEDGE_BASE);

/** Of 1 to 10, where the processor rates what is said in conversations: what somebody asks to remember matters. */
const IMPORTANCE = 7;

/** Stores a text as it was filed. */
export async function rememberText(
  text: string,
  classification: Classification,
  context: Remembering,
): Promise<Answer<Remembered>> {
  const { ask, userId: user_id, saidBy: trust, expiresAt } = context;
  if (classification.kind === 'fact') {
    const { key, value } = classification;
    const sentence = toSentenceAddress({ key, value, text }, context);
    const sources = sentence === undefined ? [] : [sentence];
    const stored = await rememberFact({ key, value, sources, trust, expiresAt }, context);
    // "Where do I live?" finds the sentence, where the fact has other words. It goes when the fact does.
    if (stored.kind === 'failed') return stored;
    const kept = await keepSentence({ key, value, text }, { ...context, expiresAt: stored.value.expiresAt });
    return kept.kind === 'ok' ? stored : { kind: 'ok', value: { ...stored.value, unsaid: kept.reason } };
  }
  if (classification.kind === 'event') {
    const { day } = classification;
    const question = toPersonal('add_event', {
      event_type: 'other',
      description: text,
      user_id,
      timestamp: day,
      ...toEventTrust(trust),
      ...toEndField(expiresAt),
    });
    return mapAnswer(ask({ ...question, isChange: true, read: bySchema(eventSchema) }), ({ event_id }) => ({
      kind: 'event',
      own: String(event_id),
      service: PERSONAL_MEMORY,
      expiresAt,
    }));
  }
  return rememberNote(text, context);
}

/** What the user says themselves needs no word of it. */
const toEventTrust = (trust: Trust): { readonly metadata?: JsonObject } =>
  trust === 'user' ? {} : { metadata: toTrustMetadata([trust]) };

/** An attribute of the profile, what it was drawn from, and who said it. */
interface RememberedFact {
  readonly key: string;
  readonly value: string;
  readonly sources: readonly string[];
  readonly trust?: Trust | undefined;
  /** When it is forgotten, ISO 8601; without it the end that it has stays. */
  readonly expiresAt?: string | undefined;
}

/** Stores an attribute of the profile, and what it was drawn from. */
export function rememberFact(
  { key, value, sources, trust, expiresAt }: RememberedFact,
  { ask, userId: user_id }: StoreContext,
): Promise<Answer<Remembered>> {
  const from = sources.length === 0 ? {} : { derived_from: [...sources] };
  // A personal memory of before knows no trust.
  const said = trust === undefined || trust === 'user' ? {} : { trust };
  const question = toPersonal('update_profile', { key, value, user_id, ...from, ...said, ...toEndField(expiresAt) });
  return mapAnswer(
    ask({ ...question, isChange: true, read: bySchema(profileSchema) }),
    ({ previous_value, expires_at }): Remembered => ({
      kind: 'fact',
      own: key,
      service: PERSONAL_MEMORY,
      previous: previous_value ?? undefined,
      expiresAt: expires_at ?? expiresAt,
    }),
  );
}

/** The same note again is the same document. */
function rememberNote(
  text: string,
  { ask, userId: user_id, now, saidBy, expiresAt }: Remembering,
): Promise<Answer<Remembered>> {
  const doc_id = `note-${createHash('sha256')
    .update(JSON.stringify([user_id, text]))
    .digest('hex')
    .slice(0, 32)}`;
  const at = now.toISOString();
  // What somebody asks to remember they say now: a prompt tells its day.
  const time = { created_at: at, occurred_at: at, occurred_at_source: 'call' };
  const metadata = { user_id, importance: IMPORTANCE, ...time, ...toTrustMetadata([saidBy]) };
  const document = { doc_id, content: text, tags: [MEMORY_TAG, 'note'], metadata, ...toEndField(expiresAt) };
  const question = toKnowledgeBase('add_document', document);
  return mapAnswer(ask({ ...question, isChange: true, read: bySchema(addedSchema) }), ({ document_id: own }) => ({
    kind: 'note',
    own,
    service: KNOWLEDGE_BASE,
    expiresAt,
  }));
}

/** Stores what was learned about a project. */
export function rememberInProject(
  text: string,
  { project, ask, expiresAt }: Pick<Remembering, 'ask' | 'expiresAt'> & { readonly project: string },
): Promise<Answer<Remembered>> {
  const memory = { project_key: project, content_type: 'insight', content: text, ...toEndField(expiresAt) };
  return mapAnswer(ingest({ ask }, memory), (own) => ({ kind: 'project', own, service: PROJECT_MEMORY, expiresAt }));
}
