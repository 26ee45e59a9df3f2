import type { AccessScope, SubjectKind } from '@contextloom/access';
import { requireScope, resolveSubject, type Subject, toSubject } from '@contextloom/access';
import { type DeepReadonly, parseInput } from '@contextloom/contracts';
import type { z } from 'zod';
import type { MaskCall } from '../privacy/mask-call.ts';
import type { OperationContext } from './context.ts';
import { type Effect, type EffectHints, scopeOf } from './effect.ts';
import { leaveOutPrivate } from './leave-out-private.ts';
import type { OperationRoute } from './operation-route.ts';

/** Everything about an operation but the types of its input and answer. */
interface OperationShown {
  /** As MCP clients call it. */
  readonly name: string;
  readonly title: string;
  /** For the model that chooses among tools, and for people. */
  readonly description: string;
  readonly effect: Effect;
  readonly hints?: EffectHints;
  /** Whose data it is about. */
  readonly scope: SubjectKind | 'none';
  /** The scope that a caller needs; without it `read` for what reads and `write` for the rest. */
  readonly requires?: AccessScope;
}

/** A call and its answer, as references show them. */
export interface OperationExample<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

/** An operation as data: what every entry point shows of it, and the function behind it. */
export interface OperationDefinition<I extends z.ZodObject, O extends z.ZodObject, Deps, Call = z.output<I>>
  extends OperationShown {
  readonly input: I;
  readonly output: O;
  /** Translates the parsed input once, before the caller's rights are checked: `subject` and `run` then see the translation. */
  readonly translate?: (input: z.output<I>) => Call;
  /** How a call names whose data it is about; without it by the field `user_id`, or `project_key`. */
  readonly subject?: Partial<Subject<NoInfer<Call>>>;
  readonly example?: OperationExample<z.input<I>, z.input<O>>;
  /** The text of an answer over MCP, for operations that answer plain text; pretty JSON without it. */
  readonly toText?: (output: z.output<O>) => string;
  /** How it is called over REST; without it only over MCP. */
  readonly route?: OperationRoute<NoInfer<Call>, DeepReadonly<z.input<O>>, Deps>;
  /**
   * Takes what is marked as private out of the call. Without it all texts of what stores something lose it, and a text of nothing
   * else is refused; `self` where `run` sees to it.
   */
  readonly leaveOut?: 'self' | ((input: NoInfer<Call>) => NoInfer<Call>);
  /** Fields that are no words and are never masked, such as a file in base64. */
  readonly opaque?: readonly string[];
  readonly run: (
    input: NoInfer<Call>,
    context: OperationContext<Deps>,
  ) => DeepReadonly<z.input<O>> | Promise<DeepReadonly<z.input<O>>>;
}

/** An operation whose types are sealed inside, so that operations of all kinds stand in one list. */
export interface Operation<Deps> extends OperationShown {
  readonly requires: AccessScope;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly subject: Subject<unknown> | undefined;
  /** Parameters that the server has fixed: a call with another value of one is refused. */
  readonly bound?: readonly string[] | undefined;
  readonly example?: OperationExample<unknown, unknown>;
  readonly toText?: (output: unknown) => string;
  readonly route?: OperationRoute<unknown, unknown, Deps>;
  /**
   * Checks the caller's rights, parses and runs; unknown arguments are ignored and nothing checks the answer.
   * @throws ContextloomError `forbidden`, `invalid`, and what the operation itself refuses
   */
  readonly call: (args: unknown, context: OperationContext<Deps>, options?: CallOptions) => Promise<object>;
}

/** How an entry point differs from a plain call. */
export interface CallOptions {
  /** Whether the entry point has parsed the arguments by a schema of its own that answers the operation's input. */
  readonly isParsed?: boolean;
  /** Completes the parsed input before it runs, such as by a header of the request. */
  readonly adjust?: (input: unknown) => unknown;
}

/** What of a definition only its call needs. */
interface PartsInside<Call> {
  readonly run: unknown;
  readonly translate: unknown;
  readonly leaveOut?: 'self' | ((input: Call) => Call);
  readonly opaque?: readonly string[];
}

/** Seals a definition: rights are checked and the input parsed before its function runs. */
export function defineOperation<I extends z.ZodObject, O extends z.ZodObject, Deps, Call = z.output<I>>(
  definition: OperationDefinition<I, O, Deps, Call>,
): Operation<Deps> {
  const { input, translate, run, name, scope, effect, requires = scopeOf(effect) } = definition;
  const subject = toSubject(scope, definition.subject as Partial<Subject<unknown>> | undefined, input);
  // The definition's types fit each other; outside, an operation takes and answers what its schemas say.
  const sealed = definition as unknown as Omit<Operation<Deps>, 'call' | 'requires' | 'subject'>;
  const { run: _run, translate: _translate, leaveOut, opaque, ...shown } = sealed as typeof sealed & PartsInside<Call>;
  const stores = effect === 'adds' || effect === 'replaces' || effect === 'runs';
  const clean = (args: unknown, mask: MaskCall | undefined): unknown => {
    if (!stores) return args;
    const kept = leaveOut === undefined ? leaveOutPrivate(args) : args;
    return mask === undefined ? kept : mask(kept, { hasUsers: scope === 'user', opaque });
  };
  return {
    ...shown,
    requires,
    subject,
    call: async (args, context, { isParsed = false, adjust } = {}) => {
      const { principal, noteSubjects, mask } = context;
      requireScope(principal, requires, name);
      const parsed = resolveSubject(
        { args, subject, principal, noteSubjects },
        {
          parse: (given) => {
            const kept = clean(given, mask);
            return (isParsed ? kept : parseInput(input, kept)) as z.output<I>;
          },
          translate: (one): unknown => (translate === undefined ? one : translate(one)),
        },
      );
      const call = (adjust === undefined ? parsed : await adjust(parsed)) as Call;
      return run(typeof leaveOut === 'function' ? leaveOut(call) : call, context);
    },
  };
}
