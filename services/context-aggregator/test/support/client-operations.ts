import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory } from '@contextloom/testing';
import { compile } from 'json-schema-to-typescript';
import { createChatServers } from '../../src/build-chat-server.ts';
import { createOperationDeps } from '../../src/build-server.ts';
import { chatOperations } from '../../src/operations/index.ts';

/** Where the client keeps what is written from the operations. */
const FOLDER = new URL('../../../../shared/client/src/operations/', import.meta.url);
const NOTE =
  '// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.\n';
const STYLE = { printWidth: 120, singleQuote: true, trailingComma: 'all' } as const;

type Schema = Readonly<Record<string, unknown>>;

/** An operation as `tools/list` shows it. */
interface ShownOperation {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  readonly output: Schema;
  readonly isIdempotent: boolean;
  readonly isForUser: boolean;
}

/** Texts by file name. */
export type ClientFiles = Readonly<Record<string, string>>;

async function listOperations(): Promise<readonly ShownOperation[]> {
  const upstreams = createUpstreams({ servers: {}, log: silentLog, clientName: 'test', clientVersion: '0' });
  const toSettings = () => ({ deadlines: { sourceMs: 1, storeMs: 1 } });
  const deps = createOperationDeps({ upstreams, toSettings, log: silentLog });
  const client = await connectInMemory(
    createChatServers({ deps, toServers: () => [], zone: 'UTC', version: '0' }).whole,
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name, title = '', description = '', inputSchema, outputSchema = {}, annotations }) => ({
    name,
    title,
    description,
    input: inputSchema,
    output: outputSchema,
    isIdempotent: annotations?.idempotentHint === true,
    isForUser: 'user_id' in (inputSchema.properties ?? {}),
  }));
}

/** The user may come from the client or the key. */
function withoutRequiredUser(schema: Schema): Schema {
  const required = (schema['required'] as readonly string[] | undefined)?.filter((field) => field !== 'user_id');
  return { ...schema, ...(required !== undefined && { required }) };
}

function withoutUser(schema: Schema): Schema {
  const { user_id: _user, ...properties } = schema['properties'] as Schema;
  return { ...withoutRequiredUser(schema), properties };
}

const toTypeName = (name: string): string =>
  name.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
const toFileName = (name: string): string => `${name.replaceAll('_', '-')}.ts`;

async function toTypes(schema: Schema, name: string, says: string): Promise<string> {
  const options = { bannerComment: '', additionalProperties: false, style: STYLE };
  const text = await compile({ ...schema, description: says } as Parameters<typeof compile>[0], name, options);
  return text.trim();
}

async function toOperationFile({ name, title, input, output }: ShownOperation): Promise<string> {
  const type = toTypeName(name);
  const types = [
    await toTypes(withoutRequiredUser(input), `${type}Input`, `Arguments of \`${name}\`: ${title}.`),
    await toTypes(output, `${type}Output`, `The answer of \`${name}\`.`),
  ];
  return `${NOTE}\n${types.join('\n\n')}\n`;
}

function toIndexFile(shown: readonly ShownOperation[]): string {
  const lines = shown.map(({ name }) => ({ type: toTypeName(name), file: toFileName(name), name }));
  const rows = shown.map(
    ({ name, isIdempotent, isForUser }) => `  ${name}: { isIdempotent: ${isIdempotent}, isForUser: ${isForUser} },`,
  );
  return [
    NOTE,
    ...lines.map(({ type, file }) => `import type { ${type}Input, ${type}Output } from './${file}';`),
    '\n/** Arguments and answer of each operation, by name. */\nexport interface Operations {',
    ...lines.map(
      ({ type, name }) => `  readonly ${name}: { readonly input: ${type}Input; readonly output: ${type}Output };`,
    ),
    '}\n\n/** Whether the same call again changes nothing more, and whether it is about a user. */\nexport const operationTraits = {',
    ...rows,
    '} as const;\n',
  ].join('\n');
}

function toChatToolsFile(shown: readonly ShownOperation[]): string {
  const names = new Set(chatOperations.map(({ name }) => name));
  const tools = shown
    .filter(({ name }) => names.has(name))
    .map(({ name, description, input }) => ({ name, description, parameters: withoutUser(input) }));
  const says =
    '/** The tools of a model that speaks with one user: names, descriptions, and JSON Schemas of their arguments. */';
  return `${NOTE}\n${says}\nexport const chatTools = ${JSON.stringify(tools, null, 2)} as const;\n`;
}

/** The files of the client that follow from the operations as they are now. */
export async function toClientFiles(): Promise<ClientFiles> {
  const shown = await listOperations();
  const files = await Promise.all(
    shown.map(async (one) => [toFileName(one.name), await toOperationFile(one)] as const),
  );
  return { ...Object.fromEntries(files), 'index.ts': toIndexFile(shown), 'chat-tools.ts': toChatToolsFile(shown) };
}

/** The files of the client as they are. */
export async function readClientFiles(): Promise<ClientFiles> {
  const names = await readdir(FOLDER);
  const texts = names.map(async (name) => [name, await readFile(new URL(name, FOLDER), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** Writes what differs, so that what is built from the rest stays; files of operations that are gone go. */
export async function writeClientFiles(files: ClientFiles): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const before = await readClientFiles();
  for (const name of Object.keys(before)) if (!Object.hasOwn(files, name)) await rm(new URL(name, FOLDER));
  for (const [name, text] of Object.entries(files)) {
    if (before[name] !== text) await writeFile(new URL(name, FOLDER), text);
  }
}
