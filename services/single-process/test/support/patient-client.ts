import { FAILURE_KEY, failureSchema } from '@contextloom/contracts';
import type { TestClient } from '@contextloom/testing';

/** What was cut off, by a process that ended, has this code. */
export const CUT = 'cut';

/** A client that connects again where its server went away; what it asked meanwhile was cut off, and is not asked again. */
export function createPatientClient(
  connect: () => Promise<TestClient>,
): Pick<TestClient, 'callTool' | 'codeOf' | 'close'> {
  let connected: Promise<TestClient> | undefined;
  const ask = async <T>(work: (client: TestClient) => Promise<T>, cut: T): Promise<T> => {
    connected ??= connect();
    const client = await connected;
    try {
      return await work(client);
    } catch {
      connected = undefined;
      await client.close().catch(() => undefined);
      return cut;
    }
  };
  return {
    callTool: (name, args) =>
      ask((client) => client.callTool(name, args), { isError: true, text: CUT, structured: undefined }),
    codeOf: (name, args = {}) =>
      ask(async ({ client }) => {
        const { isError, _meta } = await client.callTool({ name, arguments: args });
        if (isError !== true) return undefined;
        // The gateway's own words about a server that went away have no code.
        return failureSchema.safeParse(_meta?.[FAILURE_KEY]).data?.code ?? CUT;
      }, CUT),
    close: async () => (await connected)?.close(),
  };
}
