// Refuses rendered manifests in which several replicas would each keep a file of their own:
//   kubectl kustomize deploy/kubernetes | node deploy/check-replicas.mjs
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';

const SCALED = new Set(['Deployment', 'StatefulSet', 'ReplicaSet']);
/** Which store a service has by a setting, whatever DATABASE_URL says. */
const ENGINES = ['KB_STORE', 'PERSONAL_MEMORY_STORE'];

const isOurs = ({ command = [], args = [] }) =>
  [...command, ...args].some((word) => String(word).includes('services/'));

/** What lets a container keep a file of its own; undefined for one that has a database or does not start. */
function findFile({ env = [] }) {
  const find = (name) => env.find((one) => one.name === name);
  const url = find('DATABASE_URL');
  const isThere = url?.value
    ? true
    : url?.valueFrom !== undefined && Object.values(url.valueFrom)[0]?.optional !== true;
  if (!isThere) return 'has no DATABASE_URL in its env that it cannot do without';
  const embedded = ENGINES.find((name) => find(name)?.value === 'embedded');
  return embedded === undefined ? undefined : `has ${embedded}=embedded`;
}

/** The most replicas that a workload is scaled to. */
function countReplicas({ kind, metadata, spec }, manifests) {
  const scalers = manifests.filter(({ kind: one }) => one === 'HorizontalPodAutoscaler').map((one) => one.spec);
  const own = scalers.filter(({ scaleTargetRef: of }) => of.kind === kind && of.name === metadata.name);
  return Math.max(spec.replicas ?? 1, ...own.map(({ maxReplicas }) => maxReplicas));
}

const documents = parseAllDocuments(await text(process.stdin));
const broken = documents.flatMap(({ errors }) => errors);
if (broken.length > 0) throw broken[0];
const manifests = documents
  .flatMap((one) => one.toJS() ?? [])
  .flatMap((one) => (one.kind === 'List' ? one.items : one));
const workloads = manifests.filter(({ kind }) => SCALED.has(kind));
const troubles = workloads.flatMap((workload) => {
  const count = countReplicas(workload, manifests);
  const { initContainers = [], containers } = workload.spec.template.spec;
  const found = count < 2 ? [] : [...initContainers, ...containers].filter(isOurs);
  return found.flatMap((container) => {
    const file = findFile(container);
    const where = `${workload.kind} ${workload.metadata.name}, container ${container.name}`;
    return file === undefined ? [] : [`${where}: ${count} replicas, and it ${file}: each would keep a file of its own`];
  });
});
if (workloads.length === 0) troubles.push('there is no workload on standard input: kubectl kustomize writes them');
for (const one of troubles) process.stderr.write(`${one}\n`);
process.exitCode = troubles.length === 0 ? 0 : 1;
