import type { IncomingMessage } from 'node:http';
import { ContextloomError } from '@contextloom/contracts';
import { MAX_BODY_BYTES } from '@contextloom/runtime';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { checkJson } from '../messages/check-json.ts';

const tooLarge = new ContextloomError('too_large', `the body must be at most ${MAX_BODY_BYTES} bytes`);

/** Source: RFC 9110, section 8.3.2; a charset is a token or a quoted string, in any case. */
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Whether a content type is JSON, and whether it is UTF-8. */
const isJson = (type: string | null | undefined): type is string => typeof type === 'string' && isJsonContentType(type);
const isInUtf8 = (type: string): boolean => /^utf-?8$/i.test(CHARSET.exec(type)?.[1] ?? 'utf-8');

function requireJsonInUtf8({ headers }: Request): void {
  const type = headers.get('content-type');
  if (!isJson(type)) {
    throw new ContextloomError('unsupported_media_type', 'the Content-Type must be application/json');
  }
  if (!isInUtf8(type)) throw new ContextloomError('unsupported_media_type', 'the charset must be UTF-8');
  if (headers.has('content-encoding')) {
    throw new ContextloomError('unsupported_media_type', 'the content encoding is not supported');
  }
}

async function readBytes({ headers, body }: Request): Promise<Buffer> {
  if (Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): unknown {
  checkJson(bytes, 'body');
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new ContextloomError('malformed', 'the body is not valid JSON', { cause });
  }
}

/**
 * Reads the body of a request as JSON, with the checks that REST bodies have.
 * @throws ContextloomError `unsupported_media_type`, `too_large` or `malformed`
 */
export async function readJson(request: Request): Promise<unknown> {
  requireJsonInUtf8(request);
  return parse(await readBytes(request));
}

/** Whether a request says that its body is JSON of a fair size, so that {@link readIncomingJson} may read it. */
export function bringsJson({ headers }: IncomingMessage): boolean {
  const { 'content-type': type, 'content-length': length } = headers;
  // Node holds a body to the length that is said; one of no length is read where it can be cut.
  return (
    isJson(type) && isInUtf8(type) && headers['content-encoding'] === undefined && Number(length) <= MAX_BODY_BYTES
  );
}

/**
 * Reads such a body from Node's own request, which takes a tenth of the time that a web stream takes.
 * @throws ContextloomError `malformed`
 */
export async function readIncomingJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', (cause) => reject(new ContextloomError('malformed', 'the body ended early', { cause })));
  });
  return parse(bytes);
}
