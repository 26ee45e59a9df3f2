import { join } from 'node:path';
import { installationRoot, type StdioServerEntry } from '@contextloom/mcp-client';
import type { Check } from '@contextloom/server-kit';
import type { CliContext } from '../context.ts';
import { checkServer } from './check-server.ts';
import { describeProxy, findProxy } from './find-proxy.ts';
import type { ServerReport } from './report.ts';

/** The composition that the proxy would use, and its environment with the `.env` file next to it. */
interface ProxyPlace {
  readonly file: string;
  readonly env: CliContext['env'];
}

/** Finds out how the proxy is set, whether what it needs works, and whether it runs. */
export async function checkProxy({ file, env }: ProxyPlace, context: CliContext): Promise<ServerReport> {
  const given = Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined);
  const entry: StdioServerEntry = {
    command: context.execPath,
    args: [join(installationRoot, 'services', 'proxy', 'dist', 'server.js')],
    env: { ...Object.fromEntries(given), MCP_CONFIG: file },
    cwd: installationRoot,
  };
  const report = await checkServer(entry, context);
  // Where its settings cannot be read, its address is not known either.
  if (report.kind !== 'own' || Object.keys(report.settings).length === 0) return report;
  const state = await findProxy(env, context);
  const runs: Check = {
    name: 'running',
    status: state.status === 'running' ? 'ok' : 'off',
    detail: describeProxy(state),
  };
  return { ...report, checks: [runs, ...report.checks] };
}
