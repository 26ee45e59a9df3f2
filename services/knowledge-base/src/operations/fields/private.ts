import type { DocumentInput } from '@contextloom/contracts';
import { withoutPrivateIn } from '@contextloom/safety/private';
import { leaveOutPrivate } from '@contextloom/server-kit';
import { OWNER_KEY } from '../../domain/documents/scope.ts';

type Texts = { readonly [K in 'content' | 'tags' | 'metadata' | 'keys']?: DocumentInput[K] | undefined };

/** Of a document: its content is what was said, the rest are names and data. */
function withoutPrivateTexts<D extends Texts>({ content, tags, metadata, keys, ...rest }: D): D {
  const said = content === undefined ? {} : leaveOutPrivate({ content });
  const given = Object.entries(withoutPrivateIn({ tags, metadata, keys })).filter(([, value]) => value !== undefined);
  return { ...rest, ...Object.fromEntries(given), ...Object(said) };
}

/**
 * Takes what is marked as private out of documents of users. A document of nobody is kept as it came: it may be code or markup with
 * an element of that name, which no person said.
 */
export function leaveOutOfDocument<D extends Pick<DocumentInput, 'metadata'> & Texts>(document: D): D {
  const owner = Object.hasOwn(document.metadata, OWNER_KEY) ? document.metadata[OWNER_KEY] : undefined;
  return typeof owner === 'string' ? withoutPrivateTexts(document) : document;
}

/** The same of a change; one that gives a document to a user counts as the user's. */
export function leaveOutOfChange<C extends Texts & { readonly user_id?: string | undefined }>(change: C): C {
  const isOwned = change.user_id !== undefined || typeof change.metadata?.[OWNER_KEY] === 'string';
  return isOwned ? withoutPrivateTexts(change) : change;
}
