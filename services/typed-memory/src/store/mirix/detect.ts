import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';
import type { MirixGeneration } from './mirix-api.ts';
import type { MirixHttp } from './mirix-http.ts';

/** The server of today names its service; the desktop backend says whether its agent is there. */
const serverHealth = z.object({ service: z.string() });
const desktopHealth = z.object({ agent_initialized: z.boolean() });
const components = z.object({ memories: z.record(z.string(), z.unknown()) });
const coreList = z.array(z.object({ aspect: z.string() }).or(z.object({ understanding: z.string() })));

/** The user that the probe asks for, who does not exist. */
const NOBODY = 'contextloom-nobody';

/**
 * Tells which generation a MIRIX server is of: by its health, else by which way of listing memories it knows.
 * @throws ContextloomError `unavailable` when it is neither
 */
export async function detectGeneration(http: MirixHttp, signal?: AbortSignal): Promise<MirixGeneration> {
  const health = await http.send({ method: 'GET', path: '/health', signal });
  if (serverHealth.safeParse(health.body).success) return 'server';
  if (desktopHealth.safeParse(health.body).success) return 'desktop';
  const query = { user_id: NOBODY, limit: '1' };
  const listed = await http.send({ method: 'GET', path: '/memory/components', query, signal });
  if (components.safeParse(listed.body).success) return 'server';
  // The first call that needs the key reports a refused one.
  if (listed.status === 401 || listed.status === 403) return 'server';
  const core = await http.send({ method: 'GET', path: '/memory/core', signal });
  if (core.status === 200 && coreList.safeParse(core.body).success) return 'desktop';
  const message = `${http.service} does not answer as MIRIX; correct the address, or set MIRIX_API to server or desktop`;
  throw new ContextloomError('unavailable', message);
}
