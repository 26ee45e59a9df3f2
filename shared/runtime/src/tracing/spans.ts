import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';

/** A request of the protocol, as far as spans tell of it. */
export interface TracedRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** Says what an answer failed with, such as `tool_error`; undefined for one that did not. */
export type FailureOf<T> = (answer: T) => string | undefined;

type Meta = Readonly<Record<string, unknown>>;

/** Longest value of `_meta` that is read as part of a trace, in characters: far above the 512 that W3C Trace Context asks for. */
const MAX_VALUE_LENGTH = 8_192;

/** Anything may stand in `_meta`: what is no text of a fair length is no part of a trace. */
const metaGetter: TextMapGetter<Meta> = {
  keys: (meta) => Object.keys(meta),
  get: (meta, key) => {
    const value = Object.hasOwn(meta, key) ? meta[key] : undefined;
    return typeof value === 'string' && value.length <= MAX_VALUE_LENGTH ? value : undefined;
  },
};

const metaOf = ({ params }: TracedRequest): Meta => Object(params?.['_meta']) as Meta;

const tracer = () => trace.getTracer('contextloom');

/**
 * Answers a request within a span, whose parent is the span of this process that is active, else the one that the request names in
 * `_meta` (`traceparent`, `tracestate`). Without a registered SDK it does nothing but the work.
 */
export function traceServer<T>(request: TracedRequest, work: () => Promise<T>, failureOf: FailureOf<T>): Promise<T> {
  const active = context.active();
  const parent =
    trace.getSpan(active) === undefined ? propagation.extract(ROOT_CONTEXT, metaOf(request), metaGetter) : active;
  const kind = parent === active ? SpanKind.INTERNAL : SpanKind.SERVER;
  const span = tracer().startSpan(toName(request), { kind, attributes: toAttributes(request) }, parent);
  if (!isSpanContextValid(span.spanContext())) return work();
  return end(span, context.with(trace.setSpan(parent, span), work), failureOf);
}

/** Sends a request to another server within a span, which the request that `send` gets names in its `_meta`. */
export function traceClient<R extends TracedRequest, T>(
  server: string,
  request: R,
  send: (request: R) => Promise<T>,
  failureOf: FailureOf<T> = () => undefined,
): Promise<T> {
  const attributes = { ...toAttributes(request), 'peer.service': server };
  const span = tracer().startSpan(toName(request), { kind: SpanKind.CLIENT, attributes });
  if (!isSpanContextValid(span.spanContext())) return send(request);
  const meta: Record<string, unknown> = { ...metaOf(request) };
  const within = trace.setSpan(context.active(), span);
  propagation.inject(within, meta);
  const sent: R = { ...request, params: { ...request.params, _meta: meta } };
  return end(
    span,
    context.with(within, () => send(sent)),
    failureOf,
  );
}

async function end<T>(span: Span, work: Promise<T>, failureOf: FailureOf<T>): Promise<T> {
  try {
    const answer = await work;
    const failure = failureOf(answer);
    if (failure !== undefined) fail(span, failure);
    return answer;
  } catch (error) {
    fail(span, error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}

/** The words of an error may be somebody's own: a span tells its kind alone. */
function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

const nameOf = ({ params }: TracedRequest): string | undefined =>
  typeof params?.['name'] === 'string' ? params['name'] : undefined;

const toName = (request: TracedRequest): string => [request.method, nameOf(request)].filter(Boolean).join(' ');

/** Names of attributes: OpenTelemetry's semantic conventions for MCP. URIs and arguments can tell what was said, and are left out. */
function toAttributes(request: TracedRequest): Attributes {
  const name = nameOf(request);
  const key = request.method === 'tools/call' ? 'gen_ai.tool.name' : 'gen_ai.prompt.name';
  return { 'mcp.method.name': request.method, ...(name !== undefined && { [key]: name }) };
}
