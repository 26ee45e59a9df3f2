import { ContextloomError, IMPORT_USER, importReportSchema } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { askArchive } from '../sources/archive/ask-archive.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';

/** Takes in what an export of all servers handed out. */
export const importUser = defineOperation({
  name: IMPORT_USER,
  title: 'Import a user',
  description:
    'Takes in the lines of export_user, in their order: at the server that wrote them, or another of the same service.',
  effect: 'replaces',
  requires: 'admin',
  scope: 'user',
  ...contract.import_user,
  example: {
    input: {
      user_id: 'ann',
      server: 'personal-memory',
      service: 'personal-memory',
      format: 'contextloom-personal-memory',
      version: 1,
      lines: '{"key":"city","value":"Leith"}\n',
    },
    output: { imported: 1, known: 0, refused: [], refused_count: 0 },
  },
  // The server that takes it in reads it line by line.
  leaveOut: 'self',
  run: async ({ server: named, service, ...args }, context: AggregatorContext) => {
    const { isOwn } = context.deps.forCaller(context.principal);
    const deps = toCallDeps(context);
    const fit = deps.upstreams
      .names()
      .filter((name) => isOwn(name) && (deps.upstreams.serviceOf(name) ?? name) === service);
    const server = fit.find((name) => name === named) ?? fit[0];
    if (server === undefined) {
      const message = `no server of the composition is of the service ${service}: add one to mcp_config.json, and import again`;
      throw new ContextloomError('not_found', message, { field: 'service' });
    }
    const call = { tool: IMPORT_USER, args, output: importReportSchema, signal: context.signal };
    const answer = await askArchive(server, call, deps);
    if (answer.kind === 'ok') return answer.value;
    const why = answer.kind === 'none' ? 'has no tool that imports users' : answer.why;
    throw new ContextloomError('unavailable', `${server}: ${why}`);
  },
});
