import { ContextloomError } from '@contextloom/contracts';
import type { Environment } from '@contextloom/runtime';

/**
 * Replaces `${VAR}`, `${env:VAR}` and `${VAR:-default}`.
 * @param where names the place of the text, for error messages
 * @throws ContextloomError `invalid` for a variable that is not set and has no default, and for `${input:...}`
 */
export function expandVariables(text: string, env: Environment, where: string): string {
  const prompted = /\$\{input:[^}]*\}/.exec(text)?.[0];
  if (prompted !== undefined) {
    const message = `${where} uses ${prompted}, which an editor asks a person for: use an environment variable, such as \${API_KEY}`;
    throw new ContextloomError('invalid', message, { field: where });
  }
  return text.replace(
    /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_match, name: string, fallback?: string) => {
      const value = env[name];
      if (value !== undefined && (value !== '' || fallback === undefined)) return value;
      if (fallback !== undefined) return fallback;
      throw new ContextloomError('invalid', `${where} uses \${${name}}, which is not set in the environment`, {
        field: name,
      });
    },
  );
}
