import { ContextloomError, isContextloomError, withoutNulls } from '@contextloom/contracts';
import type { z } from 'zod';
import {
  type AccessScope,
  type AllowedIds,
  onlyReached,
  type Principal,
  reachOf,
  requireReached,
  type SubjectKind,
} from './principal.ts';

/** How a call names whose data it is about. */
export interface Subject<Input> {
  readonly kind: SubjectKind;
  /** The parameter that names it: leaves the advertised schema, and is filled in, for a caller that reaches one id alone. */
  readonly field: string;
  /** Every place of the input where an id can be named, as paths such as `metadata.user_id` (`*`: each of a list). */
  readonly places: readonly string[];
  /** The ids that a parsed input names. */
  readonly named: (input: Input) => readonly string[];
  /** Puts the only id that a caller reaches into arguments that name none; the field without it. */
  readonly fill: (args: Readonly<Record<string, unknown>>, id: string) => Readonly<Record<string, unknown>>;
  /** Whether a caller with limited reach may leave the id out, since the operation itself limits what it answers. */
  readonly isOptional: boolean;
}

const fields: Readonly<Record<SubjectKind, string>> = { user: 'user_id', project: 'project_key' };

/** Completes what an operation says about its subject. @throws Error when its input has no such field, a fault of its author */
export function toSubject(
  kind: SubjectKind | 'none',
  given: Partial<Subject<unknown>> | undefined,
  input: z.ZodObject,
): Subject<unknown> | undefined {
  if (kind === 'none') return undefined;
  const field = given?.field ?? fields[kind];
  const isFilledByField = given?.fill === undefined;
  if (isFilledByField && !(field in input.shape)) throw new Error(`the input has no field ${field} for its ${kind}`);
  const read = (args: unknown): readonly string[] => {
    const id: unknown = Reflect.get(Object(args), field);
    return typeof id === 'string' ? [id] : [];
  };
  return {
    field,
    places: [field],
    named: read,
    fill: (args, id) => ({ ...args, [field]: id }),
    isOptional: false,
    ...given,
    kind,
  };
}

/** Refuses a caller without the scope that an operation needs. @throws ContextloomError `forbidden` */
export function requireScope(principal: Principal, scope: AccessScope, name: string): void {
  if (principal.scopes.includes(scope)) return;
  throw new ContextloomError('forbidden', `${name} needs the scope ${scope}, which this caller does not have`);
}

interface Call {
  readonly args: unknown;
  readonly subject: Subject<unknown> | undefined;
  readonly principal: Principal;
  readonly noteSubjects?: ((ids: readonly string[]) => void) | undefined;
}

/** How arguments become what an operation works on. */
interface Reading<Input, T> {
  readonly parse: (args: unknown) => Input;
  readonly translate: (input: Input) => T;
}

/**
 * Parses a call's arguments for its caller: the only id that the caller reaches is filled in, and every id that the input
 * names must be one that it reaches.
 * @throws ContextloomError `forbidden` for another id, whatever else is wrong; `invalid` for none where the caller reaches several
 */
export function resolveSubject<Input, T>({ subject, principal, ...call }: Call, reading: Reading<Input, T>): T {
  const parse = (given: unknown): T => reading.translate(reading.parse(given));
  const args = withoutNulls(call.args ?? {});
  if (subject === undefined) return parse(args);
  const reach = reachOf(principal, subject.kind);
  if (reach !== 'all') noteRefused(args, subject, call);
  if (reach.length === 0 && !subject.isOptional) throw reachesNobody(subject);
  const given = reach === 'all' ? args : fillSubject(args, subject, reach);
  const admit = (input: T): readonly string[] => {
    const named = subject.named(input);
    call.noteSubjects?.(named);
    for (const id of named) requireReached(reach, id, subject.field);
    return named;
  };
  const parsed = orForbidden(
    () => parse(given),
    () => admit(reading.translate(pickPlaces(given, subject) as Input)),
  );
  const named = admit(parsed);
  if (reach !== 'all' && named.length === 0 && !subject.isOptional) throw namesNobody(subject.field);
  return parsed;
}

/** What work answers; where it is refused, a check may refuse it for another reason. */
function orForbidden<T>(work: () => T, check: () => unknown): T {
  try {
    return work();
  } catch (error) {
    try {
      check();
    } catch (refusal) {
      if (isContextloomError(refusal) && refusal.code === 'forbidden') throw refusal;
    }
    throw error;
  }
}

/** The texts in the places of a subject with what encloses them, and nothing else of the arguments. */
const pickPlaces = (args: unknown, { places }: Subject<unknown>): object =>
  Object.assign({}, ...places.map((place) => pickText(args, place.split('.'))));

function pickText(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return typeof value === 'string' ? value : undefined;
  if (step === '*') return Array.isArray(value) ? value.map((item) => pickText(item, rest)) : [];
  return { [step]: pickText(Reflect.get(Object(value), step), rest) };
}

/** Whom a call that is refused before it is parsed was about. */
function noteRefused(args: unknown, { field }: Subject<unknown>, { noteSubjects }: Pick<Call, 'noteSubjects'>): void {
  const given: unknown = Reflect.get(Object(args), field);
  if (typeof given === 'string') noteSubjects?.([given]);
}

function fillSubject(args: unknown, subject: Subject<unknown>, reach: AllowedIds): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const given: unknown = Reflect.get(args, subject.field);
  // Looked at before the schema is: another's id is forbidden, whatever else is wrong with the call.
  if (given !== undefined) requireReached(reach, given, subject.field);
  const only = onlyReached(reach);
  return given === undefined && only !== undefined
    ? subject.fill(args as Readonly<Record<string, unknown>>, only)
    : args;
}

function reachesNobody({ kind, field }: Subject<unknown>): ContextloomError {
  return new ContextloomError('forbidden', `this caller reaches no ${kind}`, { field });
}

function namesNobody(field: string): ContextloomError {
  return new ContextloomError('invalid', `${field} is required: this caller may name several`, { field });
}
