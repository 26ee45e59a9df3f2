import type { ErrorCode } from '@contextloom/contracts';
import type { z } from 'zod';
import type { RouteExample, RouteMethod } from '../route/route.ts';
import type { OperationContext } from './context.ts';

/** How an operation is called over REST. Path and query parameters and the body are the fields of its input. */
export interface OperationRoute<Input, Answer, Deps> {
  readonly method: RouteMethod;
  /** Such as `/documents/:id`. */
  readonly path: string;
  /** The operation's title without it. */
  readonly summary?: string;
  readonly note?: string;
  /** The statuses of an answer and what each means; 200 alone without it, and the lowest unless `statusOf` says otherwise. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** Error codes of its own, besides those that its kind of request brings. */
  readonly errors?: readonly ErrorCode[];
  /** Fields of the input by what the path or the query calls them, where that differs: `{id: 'doc_id'}`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Fields that stand in the query although the call has a body; of a call without one, all do. */
  readonly query?: readonly string[];
  /** Fields that no request brings, such as one that a header stands for. */
  readonly omits?: readonly string[];
  /** Query fields that are written in another form than the input's; what these schemas answer is the field. */
  readonly forms?: Readonly<Record<string, z.ZodType>>;
  /** The body where it is not simply the remaining fields; what this schema answers joins the input, which is not parsed again. */
  readonly body?: z.ZodType;
  /** Whether unknown fields and query keys are refused; they are ignored without it. */
  readonly refusesUnknown?: boolean;
  /** The operation's own example without it. */
  readonly example?: RouteExample<unknown, unknown, Answer>;
  /** Makes the ETag header of an answer. */
  readonly etagOf?: (answer: Answer) => string;
  /** Makes the HTTP status of an answer. */
  readonly statusOf?: (answer: Answer) => number;
  /** Completes the input by the If-Match header of the request. */
  readonly atVersion?: (
    input: Input,
    ifMatch: string | undefined,
    context: OperationContext<Deps>,
  ) => Input | Promise<Input>;
}
