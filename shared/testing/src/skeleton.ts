import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What every service that is an MCP server has. */
const FILES = [
  'package.json',
  'README.md',
  'src/server.ts',
  'src/config.ts',
  'src/build-server.ts',
  'src/version.ts',
  'src/operations/index.ts',
  'src/operations/deps.ts',
  'src/domain',
  'test/authorization.test.ts',
] as const;

/** A file that must contain something, and what. */
const CONTENTS = [
  ['src/server.ts', /^await runServer\(/mu, 'await runServer(…)'],
  ['src/build-server.ts', /^export (?:async )?function create\w+Server\(/mu, 'export function create…Server(…)'],
  ['src/operations/index.ts', /^export (?:const operations\b|function createOperations\()/mu, 'the list of operations'],
] as const;

/** The only files that may read the environment, the clock and random ids, and end the process. */
const ENTRY_FILES = /^src\/(?:server|service|batch|import|migrate|reembed|main)\.tsx?$/u;
const EDGE = /\bprocess\.(?:env|exit)\b|\bDate\.now\(\)|\bnew Date\(\)|\brandomUUID\(\)/u;
/** A default that an entry file replaces. */
const DEFAULT_CLOCK = /\bclock(?::| =) \(\) => new Date\(\)/gu;
/** Fields of an input or an answer, which is a shape that crosses a process. */
const SHAPE = /\b(?:input|output): z\s*\.\w+\(\{(?!\})/u;
const COMMENT = /^\s*(?:\/?\*|\/\/).*$/gmu;

const listSources = (service: string, folder: string): readonly string[] =>
  readdirSync(join(service, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(service.length + 1)
        .replaceAll('\\', '/'),
    );

interface SourceFile {
  readonly file: string;
  readonly text: string;
}

const readSources = (service: string): readonly SourceFile[] =>
  listSources(service, 'src').map((file) => ({
    file,
    text: readFileSync(join(service, file), 'utf8').replace(COMMENT, ''),
  }));

const findEdges = (sources: readonly SourceFile[]): readonly string[] =>
  sources
    .filter(({ file, text }) => !ENTRY_FILES.test(file) && EDGE.test(text.replace(DEFAULT_CLOCK, '')))
    .map(({ file }) => `${file} reads the environment, the clock or a random id, or ends the process`);

/**
 * Says how the folder of a program that is no MCP server, or of a page, differs from what all have; empty where it does not.
 * @param edges the files that may read the clock or random ids although they are no entry files
 */
export function findProgramGaps(service: string, edges: readonly string[] = []): readonly string[] {
  const missing = ['package.json', 'README.md'].filter((file) => !existsSync(join(service, file)));
  const sources = readSources(service);
  const hasEntry = sources.some(({ file }) => ENTRY_FILES.test(file));
  return [
    ...missing.map((file) => `${file} is missing`),
    ...(hasEntry ? [] : ['src has no entry file']),
    ...findEdges(sources.filter(({ file }) => !edges.includes(file))),
  ];
}

/** Says how a service's folder differs from the skeleton that all services share; empty where it does not. */
export function findSkeletonGaps(service: string): readonly string[] {
  const missing = FILES.filter((file) => !existsSync(join(service, file)));
  if (missing.length > 0) return missing.map((file) => `${file} is missing`);
  const read = (file: string): string => readFileSync(join(service, file), 'utf8');
  const unlike = CONTENTS.filter(([file, pattern]) => !pattern.test(read(file)));
  const index = read('src/operations/index.ts');
  const sources = readSources(service);
  const operations = sources.filter(({ text }) => /\bdefineOperation\(/u.test(text));
  const outside = operations.filter(({ file }) => !file.startsWith('src/operations/'));
  const unlisted = operations.filter(({ file }) => !index.includes(`'./${file.slice('src/operations/'.length)}'`));
  const shapes = operations.filter(({ text }) => SHAPE.test(text));
  return [
    ...unlike.map(([file, , what]) => `${file} lacks ${what}`),
    ...outside.map(({ file }) => `${file} defines an operation outside of src/operations`),
    ...unlisted
      .filter((one) => !outside.includes(one))
      .map(({ file }) => `src/operations/index.ts does not list ${file}`),
    ...shapes.map(({ file }) => `${file} writes its input or answer itself: shared/contracts owns them`),
    ...findEdges(sources),
  ];
}
