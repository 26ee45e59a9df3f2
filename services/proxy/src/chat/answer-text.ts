import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import type { ChatKind } from './chat-kind.ts';

/** Reads what a model says, piece by piece, from the bytes of an answer that are on their way to the client. */
export interface AnswerReader {
  readonly push: (bytes: Uint8Array) => void;
  /** What was said so far; empty where the model said nothing in words. */
  readonly text: () => string;
}

/** Longest answer that is remembered, in UTF-16 code units: what is longer is not said but generated. */
const MAX_TEXT = 200_000;
/** Longest answer in one piece that is looked into, in bytes. */
const MAX_BODY = 8 * 1_024 * 1_024;

const deltaSchema = z.looseObject({
  choices: z.array(
    z.looseObject({ index: z.number().optional(), delta: z.looseObject({ content: z.string().nullish() }) }),
  ),
});
const contentDeltaSchema = z.looseObject({
  type: z.literal('content_block_delta'),
  delta: z.looseObject({ type: z.literal('text_delta'), text: z.string() }),
});
const eventSchema = z.looseObject({ type: z.literal('response.output_text.delta'), delta: z.string() });
const completionSchema = z.looseObject({
  choices: z.array(z.looseObject({ message: z.looseObject({ content: z.string().nullish() }) })),
});
const partsSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});
const responseSchema = z.looseObject({
  output: z.array(
    z.looseObject({ content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).nullish() }),
  ),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The end of a stream, or what only the client understands.
  }
}

/** What one event of a stream adds. */
function toPiece(kind: ChatKind, data: string): string {
  const value = parseJson(data);
  if (kind === 'messages') return contentDeltaSchema.safeParse(value).data?.delta.text ?? '';
  if (kind === 'responses') return eventSchema.safeParse(value).data?.delta ?? '';
  const choices = deltaSchema.safeParse(value).data?.choices ?? [];
  return choices.find(({ index = 0 }) => index === 0)?.delta.content ?? '';
}

/** What an answer in one piece says. */
function toWhole(kind: ChatKind, text: string): string {
  const value = parseJson(text);
  if (kind === 'chat') return completionSchema.safeParse(value).data?.choices[0]?.message.content ?? '';
  const parts =
    kind === 'messages'
      ? partsSchema.safeParse(value).data?.content
      : responseSchema.safeParse(value).data?.output.flatMap(({ content }) => content ?? []);
  const words = kind === 'messages' ? 'text' : 'output_text';
  return (parts ?? []).flatMap(({ type, text: said = '' }) => (type === words ? [said] : [])).join('');
}

/** Reads an answer by its content type: a stream of events, or JSON in one piece. */
export function createAnswerReader(kind: ChatKind, contentType: string): AnswerReader {
  const decoder = new TextDecoder();
  let said = '';
  if (!/^text\/event-stream\b/iu.test(contentType)) {
    let size = 0;
    return {
      push: (bytes) => {
        size += bytes.length;
        if (size <= MAX_BODY) said += decoder.decode(bytes, { stream: true });
      },
      text: () => (size <= MAX_BODY ? toWhole(kind, said) : ''),
    };
  }
  const parser = createParser({
    onEvent: ({ data }) => {
      if (said.length < MAX_TEXT) said += toPiece(kind, data);
    },
  });
  return { push: (bytes) => parser.feed(decoder.decode(bytes, { stream: true })), text: () => said };
}
