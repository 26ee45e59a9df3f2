import { createAdmit, identifyAnyone } from '@contextloom/access';
import type { ContextloomError } from '@contextloom/contracts';
import { addErrorHandling, createHttpApp, type ErrorFormat, type HttpApi, houseErrors } from '@contextloom/server-kit';
import type { Request } from 'express';
import { z } from 'zod';
import { createExchange } from './exchange.ts';
import type { ProxyOptions } from './request-headers.ts';

/** Errors of the proxy itself, as clients of OpenAI and of Anthropic read them. */
const clientErrors: ErrorFormat = {
  ...houseErrors,
  schema: z.object({
    type: z.literal('error'),
    error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }),
  }),
  toBody: ({ code, message, field }: ContextloomError) => ({
    type: 'error',
    error: { message, type: 'contextloom_proxy', param: field ?? null, code },
  }),
};

/** What a request shows as a key of this proxy: a header of its own, or where the proxy has the key of the provider, what a client sends as that. */
function readKey(request: Request, providerKey: string | undefined): string | undefined {
  const toBearer = (key: string | undefined): string | undefined => key && `Bearer ${key}`;
  if (providerKey === undefined) return toBearer(request.get('contextloom-key'));
  return request.get('authorization') ?? toBearer(request.get('x-api-key'));
}

/** The HTTP API of the proxy: everything below `/v1` goes to the provider, and chats get memory on their way. */
export function createProxyApi(options: ProxyOptions): HttpApi {
  const { log, providerKey } = options;
  return {
    openApi: {},
    hasToken: false,
    guardedRoutes: [],
    toApp: async ({ allowedHosts = [], guard = { identify: identifyAnyone }, audit } = {}) => {
      const app = await createHttpApp({ allowedHosts });
      const exchange = createExchange(options, audit);
      app.get('/health', (_request, response) => void response.json({ status: 'running', service: 'proxy' }));
      const admit = createAdmit({ ...guard, log });
      app.use('/v1', async (request, response) => {
        const { principal } = await admit(request, response, { authorization: readKey(request, providerKey) });
        await exchange(request, response, principal);
      });
      addErrorHandling(app, { log, errors: clientErrors });
      return app;
    },
  };
}
