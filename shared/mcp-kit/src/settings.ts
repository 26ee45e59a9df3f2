import { ContextloomError, toInvalidError } from '@contextloom/contracts';
import type { z } from 'zod';

/** One value that the environment may set. */
export interface Setting<T> {
  /** Variables that may hold it; the first one set wins. */
  readonly env: readonly string[];
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

/** Where a value came from: a variable, the default, or nowhere. */
export type SettingSource = { readonly env: string } | 'default' | 'absent';

/** The values of settings, and where each came from. */
export interface LoadedSettings<S extends Settings> {
  readonly values: SettingValues<S>;
  readonly sources: { readonly [K in keyof S]: SettingSource };
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Empty counts as absent; so does a reference such as `${KB_URL}` that the starting client did not expand. */
function isPresent(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '' && !/^\$\{[^}]*\}$/.test(value.trim());
}

function readOne(definition: Setting<unknown>, env: Environment): { value: unknown; source: SettingSource } {
  const name = definition.env.find((candidate) => isPresent(env[candidate]));
  if (name === undefined) {
    return definition.default === undefined
      ? { value: undefined, source: 'absent' }
      : { value: definition.default, source: 'default' };
  }
  const parsed = definition.schema.safeParse(env[name]?.trim());
  if (parsed.success) return { value: parsed.data, source: { env: name } };
  const { message } = toInvalidError(parsed.error, [name]);
  throw new ContextloomError('invalid', `${message} (environment variable ${name})`, {
    field: name,
    cause: parsed.error,
  });
}

/**
 * Reads settings from the environment.
 * @throws ContextloomError `invalid`, naming the variable and what it allows
 */
export function readSettings<S extends Settings>(settings: S, env: Environment): LoadedSettings<S> {
  const entries = Object.entries(settings).map(([key, definition]) => [key, readOne(definition, env)] as const);
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
