import { ContextloomError } from '@contextloom/contracts';
import type { LoadImages } from '../domain/chat.ts';
import { findImageType } from './image-type.ts';

/** Largest image, in bytes. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Fetches the bytes at an https address; rejects with `ContextloomError` for those that may not be asked. */
export type FetchImage = (url: URL, field: string, signal: AbortSignal) => Promise<Buffer>;

const DATA_URI = /^data:(?<type>[\w.+-]+\/[\w.+-]+)(?<parameters>(?:;[\w.+-]+=[^;,]*)*)(?<base64>;base64)?,/iu;

const refuse = (field: string, problem: string): ContextloomError =>
  new ContextloomError('invalid', `${field} ${problem}`, { field });

/** An image that is too large, by name of the field. */
export const tooLarge = (field: string): ContextloomError =>
  new ContextloomError('too_large', `${field} must be at most ${MAX_IMAGE_BYTES / 1024 / 1024} MB`, { field });

function readDataUri(uri: string, field: string): Buffer {
  // Four characters of base64 are three bytes: too much is refused before it is decoded.
  if (uri.length > (MAX_IMAGE_BYTES * 4) / 3 + 200) throw tooLarge(field);
  const match = DATA_URI.exec(uri);
  if (match?.groups?.['base64'] === undefined) throw refuse(field, 'must be a data: URI in base64');
  const data = uri.slice(match[0].length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(data)) throw refuse(field, 'is not valid base64');
  return Buffer.from(data, 'base64');
}

function toImageUrl(uri: string, field: string): URL {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url;
  throw refuse(field, 'must be a data: or https: URI of an image');
}

/** Builds what loads images: from data URIs, and from public https addresses. The bytes decide what an image is. */
export function createImageLoader({ fetchImage }: { readonly fetchImage: FetchImage }): LoadImages {
  const load = async (uri: string, field: string, signal: AbortSignal): Promise<string> => {
    const isData = /^data:/iu.test(uri);
    const bytes = isData ? readDataUri(uri, field) : await fetchImage(toImageUrl(uri, field), field, signal);
    if (bytes.length > MAX_IMAGE_BYTES) throw tooLarge(field);
    const type = findImageType(bytes);
    if (type === undefined) throw refuse(field, 'must be a PNG, JPEG, GIF or WebP image');
    return `data:${type};base64,${bytes.toString('base64')}`;
  };
  return (uris, signal) => Promise.all(uris.map((uri, at) => load(uri, `image_uris[${at}]`, signal)));
}
