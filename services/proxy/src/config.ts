import { PLACEMENTS, personaNameSchema, userIdSchema } from '@contextloom/contracts';
import { installedComposition } from '@contextloom/mcp-client';
import { setting, wholeNumber, yesOrNo } from '@contextloom/runtime';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/u, error: 'must be an http or https address' });

/** What the proxy takes from the environment. */
export const settings = {
  providerUrl: setting({
    env: ['PROXY_PROVIDER_URL'],
    flag: { name: 'provider', type: 'string' },
    schema: address,
    default: 'https://api.openai.com/v1',
    description:
      'The endpoint that answers, up to and including /v1: OpenAI, Anthropic, or compatible with one of them',
  }),
  providerKey: setting({
    env: ['PROXY_PROVIDER_KEY'],
    schema: z.string().min(1),
    secret: true,
    description: "The key for it, in place of the caller's Authorization header, which is then a key of this proxy",
  }),
  persona: setting({
    env: ['PROXY_PERSONA'],
    flag: { name: 'persona', type: 'string' },
    schema: personaNameSchema,
    description: 'Who speaks, where a request does not say; memories alone without it',
  }),
  userId: setting({
    env: ['DEFAULT_USER_ID'],
    flag: { name: 'user', type: 'string' },
    schema: userIdSchema,
    default: 'default',
    description: 'Whose memory it is, where neither a request nor its key says',
  }),
  aggregatorUrl: setting({
    env: ['AGGREGATOR_URL'],
    flag: { name: 'aggregator', type: 'string' },
    schema: address,
    description: 'A running aggregator, such as http://127.0.0.1:8010/mcp; one of its own is started without it',
  }),
  aggregatorKey: setting({
    env: ['CONTEXTLOOM_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key that is shown to it, where the two share no installation',
  }),
  configFile: setting({
    env: ['MCP_CONFIG'],
    flag: { name: 'config', type: 'string' },
    schema: z.string(),
    default: installedComposition,
    description: "The composition of the proxy's own aggregator",
  }),
  stores: setting({
    env: ['PROXY_STORE'],
    schema: yesOrNo,
    default: true,
    description: 'Whether what was said is stored',
  }),
  placement: setting({
    env: ['PROXY_PLACEMENT'],
    flag: { name: 'placement', type: 'string' },
    schema: z.enum(PLACEMENTS),
    default: 'last_message' as const,
    description: `Where memories go: ${PLACEMENTS.join(', ')}; with the last message the provider can cache all before it`,
  }),
  marks: setting({
    env: ['PROXY_CACHE_CONTROL'],
    schema: yesOrNo,
    default: true,
    description: 'Whether "cache_control" is set where the provider reads it and the request has none',
  }),
  deadlineMs: setting({
    env: ['PROXY_MEMORY_DEADLINE_MS'],
    schema: wholeNumber(1, 600_000, 'milliseconds'),
    default: 3_000,
    description: 'How long a request waits for memory before it goes on without it, in milliseconds',
  }),
  host: setting({
    env: ['PROXY_HOST'],
    flag: { name: 'host', type: 'string' },
    schema: z.string(),
    default: '127.0.0.1',
    description: 'The address to listen on',
  }),
  port: setting({
    env: ['PROXY_PORT'],
    flag: { name: 'port', type: 'string' },
    schema: wholeNumber(0, 65_535),
    default: 8040,
    description: 'The port to listen on',
  }),
};
