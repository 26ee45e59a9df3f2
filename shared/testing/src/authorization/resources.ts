import type { SubjectKind } from '@contextloom/access';
import { FAILURE_KEY, failureSchema } from '@contextloom/contracts';
import { expandTemplate } from '@contextloom/server-kit';
import type { Client } from '@modelcontextprotocol/client';
import { type CallTarget, OTHER, type Owners, type Verdict } from './callers.ts';

/** A prompt or a resource that names an owner, and how a client asks for it. */
export interface TriedReading {
  readonly name: string;
  readonly target: CallTarget;
  readonly ask: (client: Client) => Promise<unknown>;
}

const subjects: Readonly<Record<string, SubjectKind>> = { user_id: 'user', project_key: 'project' };
const base = { requires: 'read' as const, isOptional: false, serves: undefined };

function each(own: Owners, names: readonly string[], toReading: (id: string, field: string) => readonly Named[]) {
  return Object.entries(subjects)
    .filter(([field]) => names.includes(field))
    .flatMap(([field, kind]) =>
      (['own', 'foreign'] as const).flatMap((who) =>
        toReading(who === 'own' ? own[kind] : OTHER, field).map(({ name, ask }) => ({
          name: `${name}, ${field} (${who})`,
          ask,
          target: { ...base, kind, names: who },
        })),
      ),
    );
}

type Named = Pick<TriedReading, 'name' | 'ask'>;

const variablesOf = (template: string): readonly string[] =>
  [...template.matchAll(/\{[?&/#.;+]?([^}]*)\}/g)].flatMap(([, names = '']) => names.split(','));

/** Every prompt and every resource whose arguments name an owner, as a client that may see all of them lists them. */
export async function readingsOf(client: Client, own: Owners): Promise<readonly TriedReading[]> {
  const { prompts: hasPrompts, resources: hasResources } = client.getServerCapabilities() ?? {};
  const { prompts } = hasPrompts === undefined ? { prompts: [] } : await client.listPrompts();
  const { resourceTemplates } =
    hasResources === undefined ? { resourceTemplates: [] } : await client.listResourceTemplates();
  const watches = hasResources?.subscribe === true && client.getProtocolEra() !== 'modern';
  return [
    ...prompts.flatMap(({ name, arguments: args = [] }) =>
      each(
        own,
        args.map((argument) => argument.name),
        (id, field) => [
          {
            name: `prompt ${name}`,
            ask: (asking) =>
              asking.getPrompt({ name, arguments: { ...fill(args.map((one) => one.name)), [field]: id } }),
          },
        ],
      ),
    ),
    ...resourceTemplates.flatMap(({ uriTemplate }) =>
      each(own, variablesOf(uriTemplate), (id, field) => {
        const uri = expandTemplate(uriTemplate, { ...fill(variablesOf(uriTemplate)), [field]: id });
        const watch = {
          name: `subscription of ${uriTemplate}`,
          ask: (asking: Client) => asking.subscribeResource({ uri }),
        };
        return [
          { name: `resource ${uriTemplate}`, ask: (asking) => asking.readResource({ uri }) },
          ...(watches ? [watch] : []),
        ];
      }),
    ),
  ];
}

const fill = (names: readonly string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, 'x']));

/** Reads a verdict off what a request for a prompt or a resource came to. */
export async function toReadingVerdict(reading: Promise<unknown>): Promise<Verdict> {
  try {
    await reading;
    return 'allowed';
  } catch (error) {
    const data: unknown = Reflect.get(Object(error), 'data');
    const failure = failureSchema.safeParse(Reflect.get(Object(data), FAILURE_KEY)).data;
    return failure?.code === 'forbidden' ? 'forbidden' : 'allowed';
  }
}
