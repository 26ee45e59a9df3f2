import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { parseInput } from '@contextloom/contracts';
import type { Environment } from '@contextloom/runtime';
import { z } from 'zod';
import { installedComposition } from './installed-composition.ts';

const servicesFolder = join(dirname(installedComposition), 'services');

/** What every server of the installation reads, whatever else it does: the user's folders, how much is logged, and what is never stored. */
const COMMON = [
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'LOG_LEVEL',
  'PRIVACY_FILE',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];

/** The key `contextloom` of a service's package.json. */
const declarationSchema = z.object({
  contextloom: z
    .strictObject({
      /** Variables that its server reads. */
      environment: z.array(z.string()).default([]),
      /** Services that its server may start from the composition, and that need theirs. */
      starts: z.array(z.string()).default([]),
    })
    .prefault({}),
});

/** A program to start, as an entry of a composition has it. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** A path without symbolic links where there is something at it, else as it stands: a folder may be reached by several names. */
const toRealPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

/**
 * The service of this installation that an entry starts: Node, and the service's `dist/server.js` as the first argument. Whatever
 * stands before that could be code of somebody else.
 */
export function findInstalledService({ command, args, cwd }: Program): string | undefined {
  const [script] = args;
  if (script === undefined || !/^node(?:\.exe)?$/i.test(basename(command))) return undefined;
  const path = relative(toRealPath(servicesFolder), toRealPath(resolve(cwd, script)));
  const [service, ...rest] = path.split(sep);
  if (service === undefined || rest.join('/') !== 'dist/server.js') return undefined;
  return existsSync(toManifest(service)) ? service : undefined;
}

/**
 * The program of an entry such as `contextloom serve persona`: that of this very installation, whatever PATH says, run by the Node
 * that runs this process. Any other entry stays as it is.
 */
export function toInstalledProgram(program: Program): Program {
  const [verb, service, ...args] = program.args;
  if (program.command !== 'contextloom' || verb !== 'serve' || service === undefined) return program;
  const isName = /^[a-z-]+$/.test(service) && existsSync(toManifest(service));
  if (!isName) return program;
  const script = join(servicesFolder, service, 'dist', 'server.js');
  return { ...program, command: process.execPath, args: [script, ...args] };
}

const toManifest = (service: string): string => join(servicesFolder, service, 'package.json');

function readDeclaration(service: string) {
  const file = toManifest(service);
  return parseInput(declarationSchema, JSON.parse(readFileSync(file, 'utf8')), [file]).contextloom;
}

/** The variables that a service of this installation declares, those of the services that it starts included. */
function readDeclaredNames(service: string): readonly string[] {
  const { environment, starts } = readDeclaration(service);
  return [...new Set([...COMMON, ...environment, ...starts.flatMap(readDeclaredNames)])];
}

/**
 * What an entry's server gets of an environment without naming it: the variables that it declares when it is a server of this
 * installation, nothing when it is anybody else's. So a key of one service reaches no other.
 */
export function toDeclaredEnvironment(program: Program, env: Environment): Record<string, string> {
  const service = findInstalledService(program);
  if (service === undefined) return {};
  const set = readDeclaredNames(service).flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(set);
}
