import { EXPORT_USER } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { exportFrom } from '../sources/archive/export-from.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';

/** Hands out what all servers of the composition have of a user. */
export const exportUser = defineOperation({
  name: EXPORT_USER,
  title: 'Export a user from all servers',
  description:
    'Hands out what the servers of the composition store of a user, page by page as JSON Lines, which import_user takes back with the same ids.',
  effect: 'reads',
  requires: 'admin',
  scope: 'user',
  ...contract.export_user,
  example: {
    input: { user_id: 'ann' },
    output: {
      server: 'personal-memory',
      service: 'personal-memory',
      format: 'contextloom-personal-memory',
      version: 1,
      lines: '{"key":"city","value":"Leith"}\n',
      unreached: [],
    },
  },
  run: ({ user_id: userId, cursor }, context: AggregatorContext) => {
    const { isOwn } = context.deps.forCaller(context.principal);
    const deps = toCallDeps(context);
    const servers = deps.upstreams.names().filter(isOwn).sort();
    return exportFrom({ userId, cursor, signal: context.signal, servers }, deps);
  },
});
