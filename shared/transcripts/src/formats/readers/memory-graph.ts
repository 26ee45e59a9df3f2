import { z } from 'zod';
import { putEntity, putRelation } from '../graph-part.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const entitySchema = z.looseObject({
  name: z.string(),
  entityType: z.string().nullish(),
  observations: z.array(z.unknown()).nullish(),
});
const relationSchema = z.looseObject({ from: z.string(), to: z.string(), relationType: z.string() });

const SPEAKER = 'memory graph';

function readEntity(value: unknown, at: string, out: Out) {
  const read = entitySchema.safeParse(value);
  if (!read.success) return out.fault(at, 'an entity has no name');
  const { name, entityType, observations } = read.data;
  const said = (observations ?? []).filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  putEntity(out, { name, type: entityType ?? '', observations: said });
  const kind = entityType == null || entityType === '' ? '' : ` (${entityType})`;
  if (said.length === 0) return out.leftOut('entity without observations', at, `${name}${kind}`);
  out.turn({ speaker: SPEAKER, role: 'other', text: `${name}${kind}: ${said.join('; ')}` });
}

function readRelation(value: unknown, at: string, out: Out) {
  const read = relationSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'a relation has no "from", "to" and "relationType"');
  const { from, to, relationType } = read.data;
  putRelation(out, { from, to, type: relationType });
  out.turn({ speaker: SPEAKER, role: 'other', text: `${from} ${relationType.replaceAll('_', ' ')} ${to}` });
}

const isEntity = (value: unknown): boolean =>
  isRecord(value) && 'name' in value && Array.isArray(value['observations']);
const isLine = (value: Readonly<Record<string, unknown>>): boolean =>
  (value['type'] === 'entity' && isEntity(value)) || (value['type'] === 'relation' && 'relationType' in value);
const isGraph = (json: unknown): boolean =>
  isRecord(json) && Array.isArray(json['entities']) && json['entities'].some(isEntity);

/** The graph of MCP's reference memory server: its file of JSON Lines, or what `read_graph` answers. */
export const memoryGraph: Reader = {
  name: 'memory-graph',
  title: 'memory graph (MCP memory server)',
  detect: ({ json, jsonLines }) =>
    isGraph(json) || jsonLines?.some(isLine) === true || (isRecord(json) && isLine(json)),
  read: (out, { sample: { json } }) => {
    out.conversation({ id: 'memory-graph', title: 'Memory graph' });
    if (isGraph(json))
      return createJsonSink(['$.entities.*', '$.relations.*'], ({ value, path }) =>
        path[0] === 'entities'
          ? readEntity(value, `entity ${Number(path[1]) + 1}`, out)
          : readRelation(value, `relation ${Number(path[1]) + 1}`, out),
      );
    return createJsonLineSink((value, at) => {
      if (value['type'] === 'entity') readEntity(value, at, out);
      else if (value['type'] === 'relation') readRelation(value, at, out);
      else out.leftOut('line that is no message', at, JSON.stringify(value));
    }, out);
  },
};
