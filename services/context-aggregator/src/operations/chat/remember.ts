import { ContextloomError, isWordOfPeople, type Trust } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type ClassificationRequest, classifyMemory } from '../../domain/stores/classify-memory.ts';
import { toMemoryId } from '../../domain/stores/memory-id.ts';
import { toError } from '../../sources/asking/failure.ts';
import { KNOWLEDGE_BASE } from '../../sources/memories/memory-source.ts';
import type { Answer } from '../../sources/stores/ask-store.ts';
import { PERSONAL_MEMORY } from '../../sources/stores/personal.ts';
import { PROJECT_MEMORY } from '../../sources/stores/project.ts';
import { type Remembered, rememberInProject, rememberText } from '../../sources/stores/remember.ts';
import { type ChatCall, type ChatContext, toStoreContext } from './deps.ts';

/** Stores one thing where it fits. */
export const remember = defineOperation({
  name: 'remember',
  title: 'Remember',
  description:
    'Stores one thing worth keeping about the user: one sentence that makes sense by itself.\nUse update_memory instead when it corrects what recall found.',
  effect: 'adds',
  scope: 'user',
  ...contract.remember,
  example: {
    input: { user_id: 'ann', text: 'I live in Leith.' },
    output: { id: 'fact:city', kind: 'fact', store: 'personal-memory', message: 'Remembered as fact.' },
  },
  run: async ({ text, kind, key, day, said_by, expires_at, ...call }, context: ChatContext) => {
    const { service, why, previous, unsaid, expiresAt, ...address } = await store(
      { text, kind, key, day, saidBy: said_by, expiresAt: expires_at },
      call,
      context,
    );
    context.deps.onChanged(call.user_id, address.kind);
    const replaced = previous === undefined ? '' : ` It said before: ${previous}`;
    const alone = unsaid === undefined ? '' : ` The sentence itself could not be kept: ${KNOWLEDGE_BASE} ${unsaid}.`;
    const end = expiresAt === undefined ? '' : ` It is forgotten at ${expiresAt}.`;
    const message = `Remembered as ${address.kind}${why === undefined ? '' : `: ${why}`}.${end}${replaced}${alone}`;
    return { id: toMemoryId(address), kind: address.kind, store: service, message };
  },
});

type Filed = Remembered & { readonly why?: string };

type RememberRequest = ClassificationRequest & {
  readonly saidBy?: Trust | undefined;
  readonly expiresAt?: string | undefined;
};

/** What would be gone at once is a mistake. @throws ContextloomError `invalid` */
function requireEnd(expiresAt: string | undefined, now: Date): void {
  if (expiresAt === undefined || Date.parse(expiresAt) > now.getTime()) return;
  const message = `expires_at must be in the future: ${expiresAt} has passed`;
  throw new ContextloomError('invalid', message, { field: 'expires_at' });
}

/** What personal memory does not take for this user becomes a note, and the answer says so. */
async function store(request: RememberRequest, call: ChatCall, context: ChatContext): Promise<Filed> {
  const { text } = request;
  const { clock, zone } = context.deps;
  const stores = toStoreContext(call, context);
  const { ask, project } = stores;
  const now = clock();
  const { saidBy = 'user', expiresAt } = request;
  requireEnd(expiresAt, now);
  if (project !== undefined) return require(PROJECT_MEMORY, await rememberInProject(text, { ask, project, expiresAt }));
  const storing = { ...stores, now, saidBy, expiresAt };
  if (!isWordOfPeople(saidBy)) {
    const note = require(KNOWLEDGE_BASE, await rememberText(text, { kind: 'note' }, storing));
    return { ...note, why: `only what people say becomes a fact or an event, and this was said by: ${saidBy}` };
  }
  const classification = classifyMemory({ ...request, text }, { now, zone });
  const filed = await rememberText(text, classification, storing);
  if (classification.kind === 'note') return require(KNOWLEDGE_BASE, filed);
  if (filed.kind === 'ok' || (ask.has(PERSONAL_MEMORY) && filed.code !== 'forbidden')) {
    return require(PERSONAL_MEMORY, filed);
  }
  const note = require(KNOWLEDGE_BASE, await rememberText(text, { kind: 'note' }, storing));
  return { ...note, why: `${PERSONAL_MEMORY} ${filed.reason}` };
}

/** @throws ContextloomError with the reason of a store that did not take it */
function require(service: string, answer: Answer<Remembered>): Remembered {
  if (answer.kind === 'failed') throw toError(service, answer);
  return answer.value;
}
