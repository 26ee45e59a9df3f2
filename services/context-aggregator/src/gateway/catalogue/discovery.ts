import { tokenize } from '@contextloom/retrieval';
import { scoreBm25, toQueryTokens } from '@contextloom/retrieval/ranking';
import type { Item, Session } from '../messages/provider.ts';
import type { Raw, RpcAnswer, RpcRequest } from '../messages/rpc.ts';
import type { Catalogue, Entry } from './catalogue.ts';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 50;

/** What a client sees in place of the tools. */
const tools: readonly Item[] = [
  {
    name: 'find_tools',
    title: 'Find tools',
    description: 'Finds tools by what they are for; answers their names, descriptions and input schemas, best first.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What is to be done, in a few words' },
        limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'call_tool',
    title: 'Call a tool',
    description: 'Calls a tool that find_tools has named, and answers what it answers.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool' },
        arguments: { type: 'object', description: 'Its arguments, by its input schema' },
      },
      required: ['name'],
    },
  },
];

/** Offers two tools in place of all: one that finds the others, one that calls them. A tool that is named directly is called too. */
export function createDiscovery(session: Session, catalogue: Catalogue): Session {
  return {
    ...session,
    handle: (request, call) => {
      const { method, params } = request;
      if (method === 'tools/list') return Promise.resolve({ result: { tools } });
      if (method !== 'tools/call') return session.handle(request, call);
      const args = Object(params?.['arguments']) as Raw;
      if (params?.['name'] === 'find_tools') return findTools(catalogue, args);
      return session.handle(params?.['name'] === 'call_tool' ? toNamed(params, args) : request, call);
    },
  };
}

/** The call that is requested in a call of `call_tool`, with the same `_meta`. */
function toNamed(params: Raw, { name, arguments: args }: Raw): RpcRequest {
  return { method: 'tools/call', params: { ...params, name, arguments: args ?? {} } };
}

async function findTools(catalogue: Catalogue, { query, limit = DEFAULT_LIMIT }: Raw): Promise<RpcAnswer> {
  if (typeof query !== 'string' || query.trim() === '') return refuse('query must be a text that is not empty');
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT) {
    return refuse(`limit must be a whole number from 1 to ${MAX_LIMIT}`);
  }
  const found = rank(query, await catalogue.list('tools')).slice(0, Number(limit));
  const shown = found.map(({ shown: { name, description, inputSchema } }) => ({ name, description, inputSchema }));
  const structuredContent = { tools: shown };
  return {
    result: { content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }], structuredContent },
  };
}

/** Tools whose names, titles, descriptions and parameters have words of the query, best first. */
function rank(query: string, entries: readonly Entry[]): readonly Entry[] {
  const documents = entries.map((entry) => ({ entry, ...tokenize(toText(entry.shown), { keepStopWords: true }) }));
  return scoreBm25(documents, toQueryTokens(query), documents.length)
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ document }) => document.entry);
}

function toText({ name, title, description, inputSchema }: Item): string {
  const parameters = Object.keys(Object(Object(inputSchema).properties));
  return [name, title, description, ...parameters]
    .map((part) => String(part ?? '').replaceAll(/[_-]+/g, ' '))
    .join('\n');
}

const refuse = (text: string): RpcAnswer => ({
  result: { content: [{ type: 'text', text }], isError: true },
});
