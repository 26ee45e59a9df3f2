import { ContextloomError } from '@contextloom/contracts';
import type { LoadImages } from '../domain/chat.ts';

/** Largest image, in bytes. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Fetches the bytes at an https address; rejects with `ContextloomError` for those that may not be fetched. */
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

/** How files of the types that models see begin. */
const signatures: readonly (readonly [type: string, matches: (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (bytes) => /^GIF8[79]a$/u.test(bytes.subarray(0, 6).toString('latin1'))],
  ['image/webp', (bytes) => /^RIFF.{4}WEBP$/su.test(bytes.subarray(0, 12).toString('latin1'))],
];

/** The type of an image by its bytes, whatever its declared type; undefined for other data. */
function findImageType(bytes: Buffer): string | undefined {
  return signatures.find(([, matches]) => matches(bytes))?.[0];
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
