import { createAdmit, identifyAnyone } from '@contextloom/access';
import type { ContextloomError } from '@contextloom/contracts';
import { addErrorHandling, createHttpApp, type ErrorFormat, type HttpApi, houseErrors } from '@contextloom/server-kit';
import { z } from 'zod';
import type { ProxyOptions } from './asked.ts';
import { createExchange } from './exchange.ts';

/** Errors of the proxy itself, as clients of OpenAI read them. */
const openAiErrors: ErrorFormat = {
  ...houseErrors,
  schema: z.object({
    error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }),
  }),
  toBody: ({ code, message, field }: ContextloomError) => ({
    error: { message, type: 'contextloom_proxy', param: field ?? null, code },
  }),
};

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
        const key = request.get('contextloom-key');
        const shown = providerKey === undefined ? key && `Bearer ${key}` : request.get('authorization');
        const { principal } = await admit(request, response, { authorization: shown });
        await exchange(request, response, principal);
      });
      addErrorHandling(app, { log, errors: openAiErrors });
      return app;
    },
  };
}
