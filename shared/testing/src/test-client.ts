import { localPrincipal, type Principal, toAuthInfo } from '@contextloom/access';
import { FAILURE_KEY, failureSchema } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import type { ServerFactory } from '@contextloom/server-kit';
import { createMcpEndpoint } from '@contextloom/server-kit';
import {
  Client,
  type ClientOptions,
  InMemoryTransport,
  type JsonSchemaType,
  type JsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

/** The answer of a tool as a test reads it. */
export interface TestToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: unknown;
}

/** A real MCP client, shortened to what tests ask. */
export interface TestClient {
  readonly client: Client;
  readonly listTools: () => ReturnType<Client['listTools']>;
  readonly listPrompts: () => ReturnType<Client['listPrompts']>;
  readonly getPrompt: (name: string, args?: Record<string, string>) => Promise<string>;
  /** The text of a resource. */
  readonly readText: (uri: string) => Promise<string>;
  readonly callTool: (name: string, args?: Record<string, unknown>) => Promise<TestToolAnswer>;
  /** The code of the error that a call answers, if it is one of ours. */
  readonly codeOf: (name: string, args?: Record<string, unknown>) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** One for all clients: each would compile the schemas of all tools again. */
const compiler = new AjvJsonSchemaValidator();
const compiled = new Map<string, ReturnType<typeof compiler.getValidator>>();
const jsonSchemaValidator: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    const validator = compiled.get(text) ?? compiler.getValidator(schema);
    compiled.set(text, validator);
    return validator as JsonSchemaValidator<T>;
  },
};

function toTestClient(client: Client, close: () => Promise<void>): TestClient {
  return {
    client,
    listTools: () => client.listTools(),
    listPrompts: () => client.listPrompts(),
    getPrompt: async (name, args = {}) => {
      const { messages } = await client.getPrompt({ name, arguments: args });
      return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n\n');
    },
    readText: async (uri) => {
      const { contents } = await client.readResource({ uri });
      return contents.map((content) => ('text' in content ? content.text : '')).join('\n');
    },
    callTool: async (name, args = {}) => {
      const { content, isError, structuredContent } = await client.callTool({ name, arguments: args });
      const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      return { isError: isError === true, text, structured: structuredContent };
    },
    codeOf: async (name, args = {}) => {
      const { isError, _meta } = await client.callTool({ name, arguments: args });
      return isError === true ? failureSchema.safeParse(_meta?.[FAILURE_KEY]).data?.code : undefined;
    },
    close,
  };
}

/** Connects a real client over linked in-memory streams (2025-11-25, the newest revision that this transport speaks). */
export async function connectInMemory(
  factory: ServerFactory,
  principal: Principal = localPrincipal,
): Promise<TestClient> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = await factory({ era: 'legacy', authInfo: toAuthInfo(principal) });
  await server.connect(serverSide);
  const client = new Client({ name: 'test', version: '0' }, { jsonSchemaValidator });
  await client.connect(clientSide);
  return toTestClient(client, () => client.close());
}

async function connectHttp(transport: StreamableHTTPClientTransport, revision: string): Promise<Client> {
  const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '0' }, { jsonSchemaValidator, versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

/** Connects a real client to the HTTP endpoint's `fetch`, no socket between: 2026-07-28 by default. */
export async function connectOverFetch(
  factory: ServerFactory,
  revision = '2026-07-28',
  principal: Principal = localPrincipal,
): Promise<TestClient> {
  const endpoint = createMcpEndpoint(factory, { log: silentLog });
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: (url, init) => endpoint.fetch(new Request(url, init), { authInfo: toAuthInfo(principal) }),
  });
  const client = await connectHttp(transport, revision);
  return toTestClient(client, async () => {
    await client.close();
    await endpoint.close();
  });
}

/** Connects a real client to a server at an address: 2026-07-28 by default. */
export async function connectOverHttp(
  url: URL,
  revision = '2026-07-28',
  headers: Readonly<Record<string, string>> = {},
): Promise<TestClient> {
  const client = await connectHttp(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), revision);
  return toTestClient(client, () => client.close());
}
