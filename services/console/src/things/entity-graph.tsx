import { useComputedColorScheme } from '@mantine/core';
import {
  Background,
  BaseEdge,
  Controls,
  type Edge,
  type EdgeProps,
  type InternalNode,
  MarkerType,
  type Node,
  ReactFlow,
  useInternalNode,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { useEffect, useMemo } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import type { Entity, Relation } from './entity.ts';
import { layOut } from './lay-out.ts';
import { toWords } from './relation-texts.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

function toMiddle({ internals, measured }: InternalNode): Point {
  const { x, y } = internals.positionAbsolute;
  return { x: x + (measured.width ?? 0) / 2, y: y + (measured.height ?? 0) / 2 };
}

/** Where the straight line between the middles of two boxes leaves the box of the first. */
function toBorder(node: InternalNode, other: InternalNode): Point {
  const [from, to] = [toMiddle(node), toMiddle(other)];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const { width = 0, height = 0 } = node.measured;
  const part = Math.min(width / 2 / Math.abs(dx || 1), height / 2 / Math.abs(dy || 1));
  return { x: from.x + dx * part, y: from.y + dy * part };
}

/** Where on a line its name stands: lines often cross in their middles, where one name would hide the other. */
const BEFORE_MIDDLE = 0.35;

/** A relation as a straight line from box to box, on whichever sides these face each other. */
function Line({ source, target, label, markerEnd }: EdgeProps) {
  const [first, second] = [useInternalNode(source), useInternalNode(target)];
  if (first === undefined || second === undefined) return null;
  const [from, to] = [toBorder(first, second), toBorder(second, first)];
  return (
    <BaseEdge
      path={`M ${from.x},${from.y} L ${to.x},${to.y}`}
      label={label}
      labelX={from.x + (to.x - from.x) * BEFORE_MIDDLE}
      labelY={from.y + (to.y - from.y) * BEFORE_MIDDLE}
      {...(markerEnd !== undefined && { markerEnd })}
    />
  );
}

/** A longer name is cut in the picture; the table has it whole. */
const MOST_SHOWN = 60;

/** A spot is the middle of what stands there. */
const MIDDLE: [number, number] = [0.5, 0.5];
const ARROW = { type: MarkerType.ArrowClosed, width: 20, height: 20, color: 'var(--mantine-color-dimmed)' } as const;
const edgeTypes = { line: Line };

interface GraphProps {
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
  readonly onOpen: (id: number) => void;
}

/** The picture of entities and relations, for the eye and the mouse: the table next to it says the same to everybody. */
export default function EntityGraph({ entities, relations, onOpen }: GraphProps) {
  const { tell } = useTexts();
  const colorMode = useComputedColorScheme();
  const nodes = useMemo<Node[]>(() => {
    const spots = layOut(entities, relations);
    return entities.map(({ id, name }) => ({
      id: String(id),
      position: spots.get(id) ?? { x: 0, y: 0 },
      data: { label: (name ?? tell('things.unnamed')).slice(0, MOST_SHOWN) },
    }));
  }, [entities, relations, tell]);
  const edges = useMemo<Edge[]>(
    () =>
      relations.map(({ id, entity_id_1, entity_id_2, relation_type }) => ({
        id: String(id),
        source: String(entity_id_1),
        target: String(entity_id_2),
        type: 'line',
        label: toWords(relation_type).slice(0, MOST_SHOWN),
        markerEnd: ARROW,
      })),
    [relations],
  );
  return (
    <section className="graph" aria-label={tell('things.picture')}>
      <ReactFlow
        defaultNodes={nodes}
        defaultEdges={edges}
        edgeTypes={edgeTypes}
        nodeOrigin={MIDDLE}
        fitView
        minZoom={0.1}
        colorMode={colorMode}
        nodesFocusable={false}
        edgesFocusable={false}
        nodesConnectable={false}
        preventScrolling={false}
        zoomOnScroll={false}
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_event, { id }) => onOpen(Number(id))}
      >
        <Refit />
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}

/** Shows all again when the window gets wider or narrower, such as a phone that is turned. */
function Refit() {
  const { fitView } = useReactFlow();
  const width = useStore((state) => state.width);
  useEffect(() => {
    if (width > 0) void fitView();
  }, [width, fitView]);
  return null;
}
