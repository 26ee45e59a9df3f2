import { auditOf } from '@contextloom/access';
import type { Found } from './catalogue/find-provider.ts';
import type { Call } from './messages/call.ts';
import { failureOf, type Raw, type RpcAnswer, type RpcRequest } from './messages/rpc.ts';

/**
 * Writes a call to another server down where calls are audited. The aggregator's own operations do so themselves; a question
 * to the client is no end of a call. URIs can tell what was said, and are left out.
 */
export function auditCall({ provider }: Found, asked: RpcRequest, call: Call, answer: RpcAnswer): void {
  const audit = auditOf(call.authInfo);
  if (audit === undefined || provider.trust === 'own') return;
  const outcome = toOutcome(answer);
  if (outcome === undefined) return;
  const { method, params } = asked;
  const name = params?.['name'];
  const operation = typeof name === 'string' ? `${method} ${name}` : `${method} ${provider.name}`;
  audit.write({ principal: call.principal, operation, subjects: toSubjects(params), outcome });
}

/** Undefined for a call that goes on. */
function toOutcome(answer: RpcAnswer): string | undefined {
  if ('result' in answer && answer.result['resultType'] === 'input_required') return undefined;
  return failureOf(answer) ?? 'ok';
}

/** Whom a call is about, where it says so in the way of the house. */
function toSubjects(params: Raw | undefined): readonly string[] {
  const { user_id: user } = Object(params?.['arguments']) as Raw;
  return typeof user === 'string' ? [user] : [];
}
