import { graphNameSchema, MAX_IDENTIFIER_LENGTH, MAX_OBSERVATION_LENGTH } from '@contextloom/contracts';

/** A part of a graph of things and their relations, as other memory programs keep one. */
export type GraphPart =
  | {
      readonly kind: 'entity';
      readonly name: string;
      /** That program's word for what it is. */
      readonly type: string;
      readonly observations: readonly string[];
    }
  | { readonly kind: 'relation'; readonly from: string; readonly to: string; readonly type: string };

/** Where parts of a graph go. */
interface GraphOut {
  readonly graph: (part: GraphPart) => void;
  readonly leftOut: (what: string, at: string, text: string) => void;
}

/** A name on one line; undefined of one that personal memory cannot keep. */
function toGraphName(text: string): string | undefined {
  const line = text.slice(0, 4 * MAX_IDENTIFIER_LENGTH).replace(/[\s\p{Cc}]+/gu, ' ');
  const name = graphNameSchema.safeParse(line);
  return name.success && text.length <= 4 * MAX_IDENTIFIER_LENGTH ? name.data : undefined;
}

/** Hands on an entity; what of it is too long to keep is counted, and the rest goes on. */
export function putEntity(out: GraphOut, given: Omit<Extract<GraphPart, { kind: 'entity' }>, 'kind'>): void {
  const name = toGraphName(given.name);
  if (name === undefined) {
    out.leftOut('entity whose name is too long', 'the graph', given.name);
    return;
  }
  const observations = given.observations.filter((one) => one.trim() !== '' && one.length <= MAX_OBSERVATION_LENGTH);
  for (const one of given.observations)
    if (one.length > MAX_OBSERVATION_LENGTH) out.leftOut('observation that is too long', name, one);
  out.graph({ kind: 'entity', name, type: toGraphName(given.type) ?? '', observations });
}

/** Hands on a relation. */
export function putRelation(out: GraphOut, given: Omit<Extract<GraphPart, { kind: 'relation' }>, 'kind'>): void {
  const [from, to, type] = [given.from, given.to, given.type].map(toGraphName);
  if (from === undefined || to === undefined || type === undefined)
    out.leftOut('relation whose names are too long', 'the graph', `${given.from} ${given.type} ${given.to}`);
  else out.graph({ kind: 'relation', from, to, type });
}
