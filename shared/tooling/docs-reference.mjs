// Writes docs/reference/tools.md: every tool of every server, as a client sees it. It needs a build: npm run docs
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { root } from './bundling.mjs';

const folder = mkdtempSync(join(tmpdir(), 'contextloom-reference-'));
/** Without servers behind it, the profile `all` is the aggregator's own operations, those of administrators included. */
const nothing = join(folder, 'mcp_config.json');
writeFileSync(nothing, JSON.stringify({ mcpServers: {} }));

const SERVICES = {
  'context-aggregator': ['--config', nothing, '--profile', 'all'],
  'context-aggregator, profile chat': ['--config', nothing, '--profile', 'chat', '--user', 'ann'],
  persona: ['--persona', 'marlow'],
  'knowledge-base': [],
  'memory-processor': [],
  'personal-memory': [],
  'typed-memory': [],
  'agent-memory': [],
  'project-memory': [],
};

/** A server as an entry of a composition; its data lies in a folder that is gone afterwards. */
function toEntry(name) {
  const [service] = name.split(',');
  const args = [join(root, 'services', service, 'dist', 'server.js'), ...SERVICES[name]];
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return { command: process.execPath, args, env: { ...env, LOG_LEVEL: 'error' }, cwd: root };
}

const toLine = (text) =>
  text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{{', '{ {').trim();

/** The types that a value may have: a schema says them itself, or those that it chooses from do. */
function toKind({ type, enum: choices, anyOf, oneOf }) {
  if (choices !== undefined) return choices.join(', ');
  const types = type === undefined ? (anyOf ?? oneOf ?? []).map(toKind) : [type].flat();
  return [...new Set(types)].filter((one) => one !== '').join(' or ');
}

function describeField(name, field, required) {
  const { description = '', default: preset } = field;
  const note = required ? 'required' : preset === undefined ? '' : `default ${JSON.stringify(preset)}`;
  return `| \`${name}\` | ${toLine(toKind(field))} | ${toLine(note)} | ${toLine(description)} |`;
}

function describeTool({ name, description = '', inputSchema: { properties = {}, required = [] } }) {
  const rows = Object.entries(properties).map(([key, field]) => describeField(key, field, required.includes(key)));
  const table =
    rows.length === 0 ? [] : ['| field | type | required | meaning |', '| --- | --- | --- | --- |', ...rows, ''];
  return [`### \`${name}\``, '', toLine(description), '', ...table];
}

const servers = Object.fromEntries(Object.keys(SERVICES).map((name) => [name, toEntry(name)]));
const upstreams = createUpstreams({ servers, clientName: 'reference', clientVersion: '0', log: silentLog });
try {
  const lines = ['# Tools', '', 'Every tool of every server, written from the operations themselves.', ''];
  for (const name of Object.keys(SERVICES)) {
    const listed = await upstreams.listTools(name, { timeoutMs: 60_000 });
    if (listed.kind !== 'ok') throw new Error(`${name} ${listed.reason}`);
    lines.push(`## ${name}`, '', ...listed.value.flatMap(describeTool));
  }
  mkdirSync(join(root, 'docs/reference'), { recursive: true });
  writeFileSync(join(root, 'docs/reference/tools.md'), lines.join('\n'));
} finally {
  await upstreams.close();
  rmSync(folder, { recursive: true, force: true });
}
