import { accessSettings } from '@contextloom/access';
import { defaultComposition } from '@contextloom/mcp-client';
import { setting, wholeNumber } from '@contextloom/runtime';
import { z } from 'zod';

/** Where the knowledge base is, as data for a service's own settings. */
export const knowledgeClientSettings = {
  kbUrl: setting({
    env: ['KB_URL'],
    schema: z.url({ protocol: /^https?$/u, error: 'must be an http or https address' }),
    description: 'The HTTP service of the knowledge base; without it and KB_HOST, the composition is used',
  }),
  kbHost: setting({
    env: ['KB_HOST'],
    schema: z.string(),
    description: 'Host of the HTTP service of the knowledge base, when there is no KB_URL',
  }),
  kbPort: setting({
    env: ['KB_PORT'],
    schema: wholeNumber(1, 65_535),
    description: 'Port of that host (8000 if only KB_HOST is set); without KB_HOST it says nothing',
  }),
  kbApiKey: setting({
    env: ['KB_API_KEY'],
    schema: z.string(),
    secret: true,
    description: "A key of the knowledge base, where it does not share this installation's secret",
  }),
  keysFile: accessSettings.keysFile,
  houseSecret: accessSettings.houseSecret,
  configFile: setting({
    env: ['MCP_CONFIG'],
    schema: z.string(),
    default: defaultComposition,
    description: 'The composition whose server "knowledge-base" keeps the documents, when no address is set',
  }),
};
