import { ContextloomError, type Trust } from '@contextloom/contracts';
import type { MemoryType } from '@contextloom/contracts/typed-memory';
import { proposeType, type TypeProposal } from './categorize.ts';
import { findEventTime, toCoreKey, toDetails } from './details.ts';
import type { MemoryDraft } from './memory.ts';
import type { AddOutcome, TypedMemoryStore } from './typed-memory-store.ts';
import { noKey, type OpenedVault, type VaultAccess } from './vault/vault.ts';
import { toVaultLabel } from './vault/vault-label.ts';

/** Longest secret, in UTF-16 code units. */
export const MAX_SECRET_LENGTH = 100_000;

/** Proposes a type for a text that has no secret in it; undefined when it does not know. */
export type Categorizer = (
  content: string,
  context: string | undefined,
  signal: AbortSignal,
) => Promise<MemoryType | undefined>;

/** What is to be remembered. */
export interface RememberRequest {
  readonly content: string;
  readonly type?: MemoryType | undefined;
  readonly context?: string | undefined;
  /** 1 to 10; by the type when absent. */
  readonly importance?: number | undefined;
  /** Who said it; the user when absent. */
  readonly trust?: Trust | undefined;
  /** What it was drawn from. */
  readonly derivedFrom?: readonly string[] | undefined;
  /** When it is forgotten, ISO 8601; never when absent. */
  readonly expiresAt?: string | undefined;
  readonly signal: AbortSignal;
}

/** What became of it. */
export interface Remembered extends AddOutcome {
  /** The type that it seems to be of rather than the one given. */
  readonly suggested?: MemoryType | undefined;
  /** How to mention it: its words, or the label of a vault item. */
  readonly shown: string;
  /** Where the key of the vault lies, if it was made for this secret. */
  readonly keyMadeAt?: string | undefined;
}

/** What remembering works with. */
export interface RememberDeps {
  readonly store: TypedMemoryStore;
  readonly vault: VaultAccess;
  readonly categorize?: Categorizer | undefined;
  readonly autoCategorize: boolean;
  readonly defaultType: MemoryType;
  readonly clock: () => Date;
  /** In which time zone a text tells days and hours (IANA). */
  readonly zone: string;
}

const importanceOf: Readonly<Record<MemoryType, number>> = {
  core: 7,
  episodic: 5,
  semantic: 5,
  procedural: 5,
  resource: 4,
  knowledge_vault: 5,
};

/** A new key could not open the items in the vault, and would hide that their key is missing. */
async function openForSealing(
  userId: string,
  { store, vault }: RememberDeps,
  signal: AbortSignal,
): Promise<OpenedVault> {
  const found = await vault.find();
  if (found !== undefined) return { vault: found };
  const { knowledge_vault: items } = await store.overview(userId, ['knowledge_vault'], 0, signal);
  if ((items?.total ?? 0) > 0) throw noKey();
  return vault.open();
}

async function chooseType(request: RememberRequest, deps: RememberDeps): Promise<MemoryType> {
  if (!deps.autoCategorize) return deps.defaultType;
  const byRules = proposeType(request.content, request.context);
  if (byRules.isSure) return byRules.type;
  const byModel = await deps.categorize?.(request.content, request.context, request.signal);
  if (byModel !== undefined) return byModel;
  return byRules.type === 'semantic' ? deps.defaultType : byRules.type;
}

/** A proposal is returned only if hardly any other type fits. */
function toSuggestion(given: MemoryType, { type, isSure }: TypeProposal): MemoryType | undefined {
  return isSure && type !== given ? type : undefined;
}

function requireUnguessed(type: MemoryType, request: RememberRequest, deps: RememberDeps): void {
  if (type !== 'knowledge_vault' || request.type !== undefined) return;
  if (deps.store.keepsSealed) return;
  const message = `content seems to hold a secret, and the ${deps.store.backend} has no vault of ours: name a memory_type to store it in clear all the same`;
  throw new ContextloomError('invalid', message, { field: 'content' });
}

/** A backend that would store the secret in clear, or show it to a model, does not get it. */
function requireSealing({ keepsSealed, backend }: TypedMemoryStore): void {
  if (keepsSealed) return;
  const message = `memory_type knowledge_vault cannot be kept by the ${backend}, which would have the secret in clear`;
  throw new ContextloomError('invalid', message, { field: 'memory_type' });
}

/** A backend that forgets nothing by itself does not get what has an end. */
function requireEnds({ expiresAt }: RememberRequest, { keepsEnds, backend }: TypedMemoryStore): void {
  if (expiresAt === undefined || keepsEnds) return;
  throw new ContextloomError('invalid', `expires_at cannot be kept by the ${backend}`, { field: 'expires_at' });
}

/** A memory to be stored, and where the key lies that was made to seal it, if one was. */
interface Prepared {
  readonly draft: MemoryDraft;
  readonly keyMadeAt?: string | undefined;
}

async function toSealedDraft(request: RememberRequest, userId: string, deps: RememberDeps): Promise<Prepared> {
  const { content, context, importance, trust, derivedFrom, expiresAt } = request;
  requireSealing(deps.store);
  if (content.length > MAX_SECRET_LENGTH) {
    const message = `content must be at most ${MAX_SECRET_LENGTH} characters for knowledge_vault`;
    throw new ContextloomError('invalid', message, { field: 'content' });
  }
  const { vault, madeAt: keyMadeAt } = await openForSealing(userId, deps, request.signal);
  const id = vault.idOf(userId, content, context ?? '');
  const draft: MemoryDraft = {
    type: 'knowledge_vault',
    content: toVaultLabel(content, context, deps.clock()),
    importance: importance ?? importanceOf.knowledge_vault,
    id,
    sealed: vault.seal(content, { userId, id }),
    trust,
    derivedFrom,
    expiresAt,
    details: {},
  };
  return { draft, keyMadeAt };
}

/** Makes the draft of a memory that is not sealed. */
export function toDraft(
  type: MemoryType,
  request: Pick<RememberRequest, 'content' | 'context' | 'importance' | 'trust' | 'derivedFrom' | 'expiresAt'>,
  deps: Pick<RememberDeps, 'clock' | 'zone'>,
): MemoryDraft {
  const { content, context, importance = importanceOf[type], trust, derivedFrom, expiresAt } = request;
  return {
    type,
    content,
    context,
    importance,
    key: type === 'core' ? toCoreKey(content) : undefined,
    occurredAt:
      type === 'episodic' ? findEventTime(content, context, { now: deps.clock(), zone: deps.zone }) : undefined,
    trust,
    derivedFrom,
    expiresAt,
    details: toDetails(type, content, context),
  };
}

/** Stores one memory; the type is the caller's, or proposed. */
export async function remember(userId: string, request: RememberRequest, deps: RememberDeps): Promise<Remembered> {
  const type = request.type ?? (await chooseType(request, deps));
  requireUnguessed(type, request, deps);
  requireEnds(request, deps.store);
  const { draft, keyMadeAt }: Prepared =
    type === 'knowledge_vault' ? await toSealedDraft(request, userId, deps) : { draft: toDraft(type, request, deps) };
  const outcome = await deps.store.add(userId, draft, request.signal);
  const suggested =
    request.type !== undefined && deps.autoCategorize
      ? toSuggestion(request.type, proposeType(request.content, request.context))
      : undefined;
  return { ...outcome, suggested, shown: draft.content, keyMadeAt };
}
