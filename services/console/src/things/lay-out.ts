import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import type { Entity, Relation } from './entity.ts';

/** Where an entity stands in the picture, in pixels around the middle. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** After so many steps nothing moves much any more. */
const STEPS = 200;

/** Places entities so that those with relations are near each other; the same entities always stand in the same places. */
export function layOut(entities: readonly Entity[], relations: readonly Relation[]): ReadonlyMap<number, Spot> {
  const nodes = entities.map(({ id }) => ({ id, x: 0, y: 0 }));
  // Far apart by number at first: the forces need a difference to pull at.
  nodes.forEach((node, at) => {
    const angle = at * GOLDEN_ANGLE;
    node.x = 40 * Math.sqrt(at) * Math.cos(angle);
    node.y = 40 * Math.sqrt(at) * Math.sin(angle);
  });
  const known = new Set(nodes.map(({ id }) => id));
  const links = relations
    .filter(({ entity_id_1: from, entity_id_2: to }) => known.has(from) && known.has(to))
    .map(({ entity_id_1: source, entity_id_2: target }) => ({ source, target }));
  const link = forceLink<(typeof nodes)[number], { source: number; target: number }>(links)
    .id(({ id }) => id)
    .distance(240);
  forceSimulation(nodes)
    .force('link', link)
    .force('charge', forceManyBody().strength(-400))
    .force('collide', forceCollide(110))
    .force('x', forceX().strength(0.05))
    .force('y', forceY().strength(0.08))
    .stop()
    .tick(STEPS);
  return new Map(nodes.map(({ id, x, y }) => [id, { x, y }]));
}

/** Turns that never meet again, in radians. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
