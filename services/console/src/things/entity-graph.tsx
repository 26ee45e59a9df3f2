import { useComputedColorScheme } from '@mantine/core';
import {
  Background,
  Controls,
  type Edge,
  MarkerType,
  type Node,
  ReactFlow,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { useEffect, useMemo } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import type { Entity, Relation } from './entity.ts';
import { layOut } from './lay-out.ts';
import { Line } from './line.tsx';
import { toWords } from './relation-texts.ts';

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
