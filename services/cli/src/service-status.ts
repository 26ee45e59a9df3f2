import { type ServiceStatus, serviceStatusSchema } from '@contextloom/contracts';
import type { Aggregator } from './aggregator.ts';

/**
 * Asks the aggregator which servers of its composition answer. It gives each a few seconds, and the first question starts them all:
 * on a slow machine that takes longer, so it is asked once more when any is missing.
 */
export async function askServiceStatus(aggregator: Aggregator): Promise<ServiceStatus> {
  const ask = () => aggregator.call('get_service_status', {}, serviceStatusSchema);
  const answer = await ask();
  return answer.status === 'running' ? answer : ask();
}
