import { ContextloomError } from '@contextloom/contracts';
import { AGGREGATOR } from '../aggregator.ts';
import { entryFile } from '../composition/installation.ts';
import { findPort, toBaseUrl } from './ports.ts';
import {
  type ServiceDefinition,
  type ServiceOptions,
  type ServiceProcess,
  startService,
  waitUntilHealthy,
} from './service-process.ts';

/** Services that run together: when one ends, all end. */
export interface Stack {
  /** Starts a service next to the others and waits until it is ready. */
  readonly start: (definition: ServiceDefinition) => Promise<ServiceProcess>;
  /** Resolves when the user asks to end. @throws ContextloomError `unavailable` when a service ends before that */
  readonly untilInterrupted: () => Promise<void>;
  /** Ends every service, the one started last first. */
  readonly stop: () => Promise<void>;
}

/** Makes a stack with nothing in it yet. */
export function createStack(options: ServiceOptions): Stack {
  const { signal } = options.context;
  const services: ServiceProcess[] = [];
  return {
    start: async (definition) => {
      const service = startService(definition, options);
      services.push(service);
      await waitUntilHealthy(service, signal);
      return service;
    },
    untilInterrupted: async () => {
      const interrupted = new Promise<undefined>((resolve) => {
        if (signal.aborted) resolve(undefined);
        else signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
      const end = await Promise.race([interrupted, ...services.map((service) => service.ended)]);
      if (end !== undefined && !signal.aborted)
        throw new ContextloomError('unavailable', `${end}; the rest was stopped`);
    },
    stop: async () => {
      for (const service of [...services].reverse()) await service.stop();
    },
  };
}

/** Where the services of `up` listen; port 0 stands for any free one. */
export interface StackPlan {
  readonly kbHost: string;
  readonly kbPort: number;
  readonly host: string;
  readonly port: number;
  readonly configFile: string;
}

/** The services of `up` with ports that are free, ready to be started in this order. */
export interface PlannedServices {
  readonly knowledgeBase: ServiceDefinition;
  readonly aggregator: ServiceDefinition;
}

/**
 * Works out what `up` starts.
 * @throws ContextloomError `conflict` for a port that cannot be had, `unavailable` for a service that is not built
 */
export async function planServices({ kbHost, kbPort, host, port, configFile }: StackPlan): Promise<PlannedServices> {
  const freeKbPort = await findPort({ host: kbHost, port: kbPort, changeWith: '--kb-port or KB_PORT' });
  const freePort = await findPort({ host, port, changeWith: '--port' });
  const kbUrl = toBaseUrl(kbHost, freeKbPort);
  return {
    knowledgeBase: {
      name: 'knowledge-base',
      script: entryFile('knowledge-base', 'service.js'),
      env: { KB_PORT: String(freeKbPort), KB_HOST: kbHost },
      url: kbUrl,
    },
    aggregator: {
      name: AGGREGATOR,
      script: entryFile(AGGREGATOR, 'server.js'),
      args: ['--config', configFile, '--http', String(freePort), '--host', host],
      // A server of the composition that reads it too must read the same one.
      env: { KB_URL: kbUrl, MCP_CONFIG: configFile },
      url: toBaseUrl(host, freePort),
    },
  };
}
