import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { loadAggregatorConfig, parseAggregatorConfig } from '../src/config.ts';

const base = resolve('/srv/contextloom');
const options = { env: {}, file: join(base, 'mcp_config.json'), ownFile: join(base, 'aggregator', 'server.js') };
const entry = { command: 'node', args: ['kb.js'] };

function parse(config: unknown) {
  return parseAggregatorConfig(JSON.stringify(config), options);
}

describe('parseAggregatorConfig', () => {
  it('takes five seconds for a source and ten minutes for a conversation unless told otherwise', () => {
    expect(parse({ mcpServers: {} }).deadlines).toEqual({ sourceMs: 5_000, storeMs: 600_000 });
    const aggregator = { source_deadline_ms: 250 };
    expect(parse({ mcpServers: {}, aggregator }).deadlines).toEqual({ sourceMs: 250, storeMs: 600_000 });
  });

  it.each([
    ['its own key', { 'context-aggregator': entry }],
    [
      'another key that starts the same file',
      { gateway: { command: 'node', args: ['aggregator/server.js', '--http', '1'] } },
    ],
    ['the same file from another folder', { gateway: { command: 'node', args: ['server.js'], cwd: 'aggregator' } }],
  ])('passes over the aggregator itself under %s', (_name, own) => {
    const { servers } = parse({ mcpServers: { 'knowledge-base': entry, ...own } });
    expect(Object.keys(servers)).toEqual(['knowledge-base']);
  });

  it('fences every prompt where the composition says so', () => {
    expect(parse({ mcpServers: {}, aggregator: { fence: true } }).prompts).toMatchObject({ fence: true });
  });

  it('knows the servers of its own installation by the program that an entry starts', () => {
    const services = join(base, 'services');
    const mcpServers = {
      'knowledge-base': { command: 'node', args: ['--no-warnings', 'services/knowledge-base/dist/server.js'] },
      absolute: { command: 'node', args: [join(services, 'persona', 'dist', 'server.js')] },
      foreign: { command: 'npx', args: ['-y', 'some-server'], cwd: '/tmp' },
      beside: { command: 'node', args: [`${services}-evil/server.js`] },
      argument: { command: 'node', args: ['/tmp/evil.js', join(services, 'persona', 'dist', 'server.js')] },
      remote: { url: 'https://example.com/mcp' },
    };
    const ownFile = join(services, 'context-aggregator', 'dist', 'server.js');
    const { ownServers } = parseAggregatorConfig(JSON.stringify({ mcpServers }), { ...options, ownFile });
    expect([...ownServers]).toEqual(['knowledge-base', 'absolute']);
  });

  it('takes a list of its own servers in place of that', () => {
    const mcpServers = { remote: { url: 'https://example.com/mcp' }, 'knowledge-base': entry };
    expect(parse({ mcpServers, aggregator: { own_servers: ['remote'] } }).ownServers).toEqual(new Set(['remote']));
  });

  it('hands its own path on to servers that ask for MCP_CONFIG', () => {
    const asking = { ...entry, env: { MCP_CONFIG: '${MCP_CONFIG:-mcp_config.json}' } };
    const { servers } = parse({ mcpServers: { 'memory-processor': asking } });
    expect(servers['memory-processor']).toMatchObject({ env: { MCP_CONFIG: options.file } });
  });

  it.each([
    ['a deadline of zero', { source_deadline_ms: 0 }, 'aggregator.source_deadline_ms'],
    ['a deadline that is text', { store_deadline_ms: '5s' }, 'aggregator.store_deadline_ms'],
    ['a key that it does not know', { sourceDeadline: 5 }, 'aggregator'],
    ['a list', [], 'aggregator'],
  ])('refuses %s, naming the file and the key', (_name, aggregator, named) => {
    expect(() => parse({ mcpServers: {}, aggregator })).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringContaining(`${options.file}.${named}`) }),
    );
  });

  it.each([
    ['no JSON', '{'],
    ['no servers', '{}'],
    ['an entry without command or address', '{"mcpServers":{"x":{}}}'],
  ])('refuses a file with %s', (_name, text) => {
    expect(() => parseAggregatorConfig(text, options)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('loadAggregatorConfig', () => {
  it('reads the file, and starts relative paths at its folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'contextloom-config-'));
    try {
      const ownFile = join(folder, 'server.js');
      const file = join(folder, 'mcp_config.json');
      const mcpServers = { 'knowledge-base': entry, gateway: { command: 'node', args: ['server.js'] } };
      await writeFile(file, JSON.stringify({ mcpServers }));
      const { servers } = await loadAggregatorConfig({ env: {}, file, ownFile });
      expect(servers).toMatchObject({ 'knowledge-base': { command: 'node', args: ['kb.js'], cwd: folder } });
      expect(Object.keys(servers)).toEqual(['knowledge-base']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('names the file that cannot be read and the ways to name another', async () => {
    const file = join(tmpdir(), 'contextloom-no-such-file.json');
    await expect(loadAggregatorConfig({ env: {}, file, ownFile: file })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(`${file} cannot be read; name another with --config <file> or MCP_CONFIG`),
    });
  });
});

describe('the composition that is shipped', () => {
  it('names two personas and every memory server, and starts them from its own folder', async () => {
    const file = fileURLToPath(new URL('../../../mcp_config.json', import.meta.url));
    const ownFile = fileURLToPath(new URL('../dist/server.js', import.meta.url));
    const { servers, deadlines } = await loadAggregatorConfig({ env: {}, file, ownFile });
    const names = [
      'persona-uozumi',
      'persona-marlow',
      'knowledge-base',
      'memory-processor',
      'agent-mem',
      'personal-memory',
      'typed-memory',
      'agent-memory',
    ];
    expect(Object.keys(servers).sort()).toEqual(names.sort());
    expect(deadlines).toEqual({ sourceMs: 5_000, storeMs: 600_000 });
    for (const server of Object.values(servers)) expect(server).toMatchObject({ command: 'node', cwd: dirname(file) });
  });
});
