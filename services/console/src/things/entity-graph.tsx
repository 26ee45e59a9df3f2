import { useComputedColorScheme } from '@mantine/core';
import { Background, Controls, type Edge, MarkerType, type Node, ReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import type { Entity, Relation } from './entity.ts';
import { layOut } from './lay-out.ts';

/** A longer name is cut in the picture; the table has it whole. */
const MOST_SHOWN = 60;

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
        ...{ id: String(id), source: String(entity_id_1), target: String(entity_id_2) },
        ...{ type: 'straight', label: relation_type.slice(0, MOST_SHOWN), markerEnd: { type: MarkerType.ArrowClosed } },
      })),
    [relations],
  );
  return (
    <section className="graph" aria-label={tell('things.picture')}>
      <ReactFlow
        defaultNodes={nodes}
        defaultEdges={edges}
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
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}
