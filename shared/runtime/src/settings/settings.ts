import { ContextloomError, toInvalidError } from '@contextloom/contracts';
import type { z } from 'zod';

/** One value that the environment may set, and a flag or a configuration file where it names them. */
export interface Setting<T> {
  /** Variables that may hold it; the first one set wins. */
  readonly env: readonly string[];
  /**
   * The flag that sets it as well, and wins: one that stands alone means `true`. Its own schema, if it has one, stands in the
   * place of the setting's: a path on the command line may be relative.
   */
  readonly flag?: { readonly name: string; readonly type: 'string' | 'boolean'; readonly schema?: z.ZodType<T> };
  /** Where it stands in the service's configuration file, such as `['database', 'path']`, for when the environment has none. */
  readonly file?: readonly string[];
  readonly schema: z.ZodType<T>;
  readonly description: string;
  readonly default?: T;
  /** Whether `--print-config` must hide its value. */
  readonly secret?: boolean;
}

/** All that a service takes from the environment. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** A setting that has a default. */
export function setting<T>(definition: Setting<T> & { readonly default: T }): Setting<T> & { readonly default: T };
/** A setting that may be absent. */
export function setting<T>(definition: Setting<T>): Setting<T>;
export function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

/** The values of settings: those without a default may be undefined. */
export type SettingValues<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends { readonly default: infer D }
    ? S[K] extends Setting<infer T>
      ? T
      : D
    : S[K] extends Setting<infer T>
      ? T | undefined
      : never;
};

/** Where a value came from: a flag, a variable, the configuration file, the default, or nowhere. */
export type SettingSource =
  | { readonly flag: string }
  | { readonly env: string }
  | { readonly file: string }
  | 'default'
  | 'absent';

/** The values of settings, and where each came from. */
export interface LoadedSettings<S extends Settings> {
  readonly values: SettingValues<S>;
  readonly sources: { readonly [K in keyof S]: SettingSource };
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable says anything: empty counts as absent; so does a reference such as `${KB_URL}` that the starting client did not expand. */
export function isPresent(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '' && !/^\$\{[^}]*\}$/.test(value.trim());
}

/** What settings are read from besides the environment. */
export interface OtherSources {
  /** Flags as they were given, by name. */
  readonly flags?: Readonly<Record<string, string | boolean | undefined>>;
  /** What the configuration file holds. */
  readonly file?: unknown;
}

interface Found {
  readonly text: string;
  readonly source: SettingSource;
  /** How an error calls the place. */
  readonly field: string;
  readonly place: string;
  readonly schema: z.ZodType;
}

function readPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
    value,
  );
}

/** The first place that has a value: flag, environment, configuration file. */
function find(
  { env: names, flag, file, schema }: Setting<unknown>,
  env: Environment,
  other: OtherSources,
): Found | undefined {
  const given = flag === undefined ? undefined : other.flags?.[flag.name];
  if (flag !== undefined && given !== undefined) {
    const field = `--${flag.name}`;
    return { text: String(given), source: { flag: field }, field, place: '', schema: flag.schema ?? schema };
  }
  const name = names.find((candidate) => isPresent(env[candidate]));
  if (name !== undefined) {
    const place = ` (environment variable ${name})`;
    return { text: env[name] ?? '', source: { env: name }, field: name, place, schema };
  }
  const value = file === undefined ? undefined : readPath(other.file, file);
  if (file === undefined || value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const field = file.join('.');
  return { text, source: { file: field }, field, place: ' (configuration file)', schema };
}

function readOne(
  definition: Setting<unknown>,
  env: Environment,
  other: OtherSources,
): { value: unknown; source: SettingSource } {
  const found = find(definition, env, other);
  if (found === undefined) {
    return definition.default === undefined
      ? { value: undefined, source: 'absent' }
      : { value: definition.default, source: 'default' };
  }
  const { text, source, field, place, schema } = found;
  const parsed = schema.safeParse(text.trim());
  if (parsed.success) return { value: parsed.data, source };
  const { message } = toInvalidError(parsed.error, [field]);
  throw new ContextloomError('invalid', `${message}${place}`, { field, cause: parsed.error });
}

/**
 * Reads settings: a flag wins over the environment, that over the configuration file, and that over the default.
 * @throws ContextloomError `invalid`, naming the flag, the variable or the key, and what it allows
 */
export function readSettings<S extends Settings>(
  settings: S,
  env: Environment,
  other: OtherSources = {},
): LoadedSettings<S> {
  const entries = Object.entries(settings).map(([key, definition]) => [key, readOne(definition, env, other)] as const);
  return {
    values: Object.fromEntries(entries.map(([key, { value }]) => [key, value])) as SettingValues<S>,
    sources: Object.fromEntries(entries.map(([key, { source }]) => [key, source])) as LoadedSettings<S>['sources'],
  };
}

/** The settings as `--print-config` shows them, secrets hidden. */
export function toPrintableSettings<S extends Settings>(
  settings: S,
  loaded: LoadedSettings<S>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, definition]) => {
      const value = loaded.values[key];
      const shown = definition.secret === true && value !== undefined ? '(hidden)' : (value ?? null);
      return [
        key,
        { value: shown, source: loaded.sources[key], variables: definition.env, description: definition.description },
      ];
    }),
  );
}
