// Makes the MCP bundle, which desktop clients install with a click: npm run package:mcpb [-- <file>]
// It holds the package as npm installs it. Made with Node 20 it has SQLite's binary of this clone too, which is for one system and
// for Node 20; made with a later one it runs on every system from Node 22 on.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { root } from './bundling.mjs';
import { loadMcpb } from './mcpb.mjs';

const [NODE_MAJOR] = process.versions.node.split('.').map(Number);
const BINARY = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
const PROGRAM = 'node_modules/contextloom/services/cli/bin/contextloom.js';

/** What a person fills in; what stays empty is not set. */
const settings = {
  user: {
    type: 'string',
    title: 'Whose memory it is',
    default: 'default',
    description: 'A name for the person who chats here; the same name in other programs means the same memory.',
  },
  timezone: {
    type: 'string',
    title: 'Time zone',
    default: '',
    description: 'Where days begin, such as Europe/Berlin or Asia/Shanghai; that of this computer without one.',
  },
  llm_model: {
    type: 'string',
    title: 'Language model',
    default: '',
    description: 'Draws facts from conversations. Without one, conversations are kept word for word and sent nowhere.',
  },
  llm_base_url: {
    type: 'string',
    title: 'Address of the language model',
    default: '',
    description: 'An OpenAI-compatible address, such as http://127.0.0.1:11434/v1.',
  },
  llm_api_key: {
    type: 'string',
    title: 'Key of the language model',
    default: '',
    sensitive: true,
    description: 'Needed where the address asks for one.',
  },
};

const tools = {
  remember: 'Keeps something for later conversations.',
  recall: 'Finds what was said or kept earlier.',
  update_memory: 'Corrects something that is remembered.',
  forget: 'Forgets something for good.',
  list_memories: 'Shows what is remembered.',
};

function toManifest() {
  const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const args = [`\${__dirname}/${PROGRAM}`, 'serve', '--profile', 'chat', '--user', '${user_config.user}'];
  const env = {
    TIMEZONE: '${user_config.timezone}',
    LLM_MODEL: '${user_config.llm_model}',
    LLM_BASE_URL: '${user_config.llm_base_url}',
    LLM_API_KEY: '${user_config.llm_api_key}',
  };
  return {
    manifest_version: '0.3',
    name: 'contextloom',
    display_name: 'Contextloom',
    version,
    description,
    license,
    author: { name: 'Contextloom' },
    server: { type: 'node', entry_point: PROGRAM, mcp_config: { command: 'node', args, env } },
    tools: Object.entries(tools).map(([name, text]) => ({ name, description: text })),
    user_config: settings,
    compatibility:
      NODE_MAJOR < 22
        ? { platforms: [process.platform], runtimes: { node: '>=20.19.0 <21.0.0' } }
        : { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: '>=22.0.0' } },
  };
}

/** Installs the package into a folder, as `npm install contextloom` would. */
function install(folder) {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('run this as "npm run package:mcpb"');
  const run = (args, cwd) => execFileSync(process.execPath, [...args], { cwd, encoding: 'utf8' });
  const packed = join(folder, '..', 'contextloom');
  run([join(root, 'shared/tooling/package.mjs'), packed], root);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tarball = run([npm, 'pack', '--silent', '--pack-destination', join(folder, '..')], packed).trim();
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  run([npm, 'install', '--ignore-scripts', '--no-audit', join(folder, '..', tarball)], folder);
  if (NODE_MAJOR < 22) cpSync(join(root, BINARY), join(folder, BINARY));
}

/**
 * Writes the manifest into a folder where the package is installed, and packs both.
 * @returns whether the manifest is valid and the bundle written
 */
export async function packBundle(folder, file) {
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(toManifest(), null, 2)}\n`);
  const { packExtension } = await loadMcpb();
  return packExtension({ extensionPath: folder, outputPath: file, silent: true });
}

if (process.argv[1] === import.meta.filename) {
  const folder = join(root, 'build', 'mcpb');
  const name = NODE_MAJOR < 22 ? `contextloom-${process.platform}-${process.arch}.mcpb` : 'contextloom.mcpb';
  const file = resolve(process.argv[2] ?? join(root, 'build', name));
  install(folder);
  if (await packBundle(folder, file)) process.stdout.write(`${file}\n`);
  else process.exitCode = 1;
}
