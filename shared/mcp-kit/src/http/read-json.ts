import { ContextloomError } from '@contextloom/contracts';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { checkJson } from '../messages/check-json.ts';
import { MAX_BODY_BYTES } from '../messages/message-size.ts';

const tooLarge = new ContextloomError('too_large', `the body must be at most ${MAX_BODY_BYTES} bytes`);

/** Source: RFC 9110, section 8.3.2; a charset is a token or a quoted string, in any case. */
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

function requireJsonInUtf8({ headers }: Request): void {
  const type = headers.get('content-type');
  if (type === null || !isJsonContentType(type)) {
    throw new ContextloomError('unsupported_media_type', 'the Content-Type must be application/json');
  }
  if (!/^utf-?8$/i.test(CHARSET.exec(type)?.[1] ?? 'utf-8')) {
    throw new ContextloomError('unsupported_media_type', 'the charset must be UTF-8');
  }
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

/**
 * Reads the body of a request as JSON, with the checks that REST bodies have.
 * @throws ContextloomError `unsupported_media_type`, `too_large` or `malformed`
 */
export async function readJson(request: Request): Promise<unknown> {
  requireJsonInUtf8(request);
  const bytes = await readBytes(request);
  checkJson(bytes, 'body');
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new ContextloomError('malformed', 'the body is not valid JSON', { cause });
  }
}
