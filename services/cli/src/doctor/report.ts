import type { ServiceStatus } from '@contextloom/contracts';
import type { Check } from '@contextloom/server-kit';
import { z } from 'zod';

/** A setting as a server prints it, secrets hidden. */
const settingSchema = z.object({
  value: z.unknown(),
  source: z.union([
    z.object({ flag: z.string() }),
    z.object({ env: z.string() }),
    z.object({ file: z.string() }),
    z.enum(['default', 'absent']),
  ]),
  variables: z.array(z.string()),
  /** Where the variable of its source came from; added by the command. */
  origin: z.enum(['environment', '.env', 'composition']).optional(),
});
/** A setting as a server prints it. */
export type PrintedSetting = z.output<typeof settingSchema>;

const checkSchema = z.object({ name: z.string(), status: z.enum(['ok', 'failed', 'off']), detail: z.string() });

/** What a server of ours prints with `--check`. */
export const serverCheckSchema = z.object({
  settings: z.record(z.string(), settingSchema),
  checks: z.array(checkSchema),
});

/** The findings about one server; for a server of others the status alone says whether it answers. */
export type ServerReport =
  | ({ readonly kind: 'own' } & z.output<typeof serverCheckSchema>)
  | { readonly kind: 'foreign'; readonly detail: string };

/** All findings of the doctor. */
export interface DoctorReport {
  /** Whether all is well. */
  readonly success: boolean;
  readonly problems: number;
  readonly composition: { readonly file: string; readonly check: Check };
  /** The `.env` file next to the composition, if there is one, and the variables in it. */
  readonly env_file?: { readonly file: string; readonly variables: readonly string[] };
  readonly servers: Readonly<Record<string, ServerReport>>;
  /** The proxy of this installation, which no composition names. */
  readonly proxy: ServerReport;
  /** What became of one memory through the server of each MCP client that has it, by the client's name. */
  readonly clients: Readonly<Record<string, Check>>;
  /** What arrived of each hook of a coding agent, by the agent's name. */
  readonly hooks: Readonly<Record<string, readonly Check[]>>;
  /** Whether the aggregator answers, and what it answers. */
  readonly aggregator: { readonly check: Check; readonly status?: ServiceStatus };
}

/** What the doctor found out, not yet counted. */
export type Findings = Omit<DoctorReport, 'success' | 'problems'>;

const isFailed = ({ status }: Check): boolean => status === 'failed';

/** Counts the problems. A server that cannot be reached and whose own checks say why is one problem, not two. */
export function toReport(findings: Findings): DoctorReport {
  const { composition, servers, proxy, clients, hooks, aggregator } = findings;
  const failed = [...Object.values(servers), proxy].flatMap((server) => (server.kind === 'own' ? server.checks : []));
  const checks = [
    composition.check,
    ...failed,
    ...Object.values(clients),
    ...Object.values(hooks).flat(),
    aggregator.check,
  ].filter(isFailed).length;
  const unexplained = Object.entries(aggregator.status?.components ?? {}).filter(([name, { status }]) => {
    const server = servers[name];
    return status === 'unavailable' && !(server?.kind === 'own' && server.checks.some(isFailed));
  });
  const problems = checks + unexplained.length;
  return { success: problems === 0, problems, ...findings };
}
