import { BaseEdge, type EdgeProps, type InternalNode, useInternalNode } from '@xyflow/react';

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
export function Line({ source, target, label, markerEnd }: EdgeProps) {
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
