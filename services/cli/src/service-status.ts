import { type ServiceStatus, serviceStatusSchema } from '@contextloom/contracts';
import type { Aggregator } from './aggregator.ts';

const MAX_QUESTIONS = 3;

/**
 * Asks the aggregator which servers of its composition answer. It gives each a few seconds, and the first question starts them all:
 * on a slow machine that takes longer, so it is asked again while any is missing.
 */
export async function askServiceStatus(aggregator: Aggregator): Promise<ServiceStatus> {
  const ask = () => aggregator.call('get_service_status', {}, serviceStatusSchema);
  let answer = await ask();
  for (let asked = 1; asked < MAX_QUESTIONS && answer.status !== 'running'; asked += 1) answer = await ask();
  return answer;
}
