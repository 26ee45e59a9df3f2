import { context, propagation, trace } from '@opentelemetry/api';
import type { Log } from '../process/log.ts';

/** What tracing is opened with. */
export interface TracingOptions {
  /** The base address of an OTLP collector over HTTP, such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  readonly name: string;
  readonly version: string;
  readonly log: Log;
}

/** What exports spans until it is closed. */
export interface Tracing {
  /** Sends what has not been sent yet. */
  readonly close: () => Promise<void>;
}

/**
 * Registers OpenTelemetry's SDK, which sends spans to a collector; its packages are optional. Where they cannot be loaded, a warning
 * says so, and everything else works. The exporter reads more of its own variables, such as `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export async function openTracing({ endpoint, name, version, log }: TracingOptions): Promise<Tracing | undefined> {
  try {
    const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const { resourceFromAttributes } = await import('@opentelemetry/resources');
    const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
    const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
    const exporter = new OTLPTraceExporter({ url: new URL('v1/traces', `${endpoint.replace(/\/$/, '')}/`).href });
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(provider);
    return {
      close: () => provider.shutdown().catch((cause: unknown) => log.warn({ cause }, 'the last spans were not sent')),
    };
  } catch (cause) {
    log.warn({ cause }, 'no traces are sent: the packages of OpenTelemetry cannot be loaded');
    return undefined;
  }
}
