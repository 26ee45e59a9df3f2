import type { ServerEntry } from '@contextloom/mcp-client';
import type { Composition } from '../composition/composition.ts';
import type { CliContext } from '../context.ts';
import type { ServerReport } from './report.ts';

/** Where the variable came from that a server read: the shell, the `.env` file next to the composition, or the composition itself. */
export type Origin = 'environment' | '.env' | 'composition';

/** Adds to each setting that a server read from a variable where that variable came from. */
export function addOrigins(
  report: ServerReport,
  entry: ServerEntry,
  composition: Composition,
  { env }: CliContext,
): ServerReport {
  if (report.kind === 'foreign' || 'url' in entry) return report;
  const originOf = (name: string): Origin => {
    // A composition may set what neither knows, or something else than they say.
    if (entry.env[name] !== composition.env[name]) return 'composition';
    return env[name] === undefined ? '.env' : 'environment';
  };
  const settings = Object.entries(report.settings).map(([key, setting]) => {
    const { source } = setting;
    const isVariable = typeof source === 'object' && 'env' in source;
    return [key, isVariable ? { ...setting, origin: originOf(source.env) } : setting] as const;
  });
  return { ...report, settings: Object.fromEntries(settings) };
}
