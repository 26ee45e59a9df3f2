/** One argument of a shell, whatever stands in it. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const REVISION = '2026-07-28';
const TOOL = 'build_prompt_with_context';

const toBody = (args: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: TOOL,
    arguments: args,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/** The call that built a prompt, as a command line. */
export function toCurl(args: object, url: string): string {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': TOOL,
  };
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return [`curl ${quote(url)}`, ...lines, `-d ${quote(JSON.stringify(toBody(args)))}`].join(' \\\n  ');
}

/** The same as TypeScript for the MCP SDK. */
export function toCode(args: object, url: string): string {
  return [
    "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';",
    '',
    "const client = new Client({ name: 'my-application', version: '1.0.0' });",
    `await client.connect(new StreamableHTTPClientTransport(new URL(${JSON.stringify(url)})));`,
    `const { structuredContent } = await client.callTool({ name: '${TOOL}', arguments: ${JSON.stringify(args, null, 2)} });`,
    '',
  ].join('\n');
}
