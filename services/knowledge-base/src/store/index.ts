import { ContextloomError } from '@contextloom/contracts';
import { type SettingValues, setting } from '@contextloom/runtime';
import { z } from 'zod';
import { chromaEngine } from './chroma/engine.ts';
import type { StoreEngine } from './engine.ts';
import { postgresEngine } from './postgres/engine.ts';
import { sqliteEngine } from './sqlite/engine.ts';

/** Every engine; the first that the settings ask for keeps the documents, and the last is always asked for. */
const all = [chromaEngine, postgresEngine, sqliteEngine] as const;

const choice = {
  engine: setting({
    env: ['KB_STORE'],
    schema: z.enum(['chroma', 'postgres', 'embedded']),
    description:
      'What keeps the documents: embedded (a file in KB_DATA_DIR), postgres or chroma; without it the one whose address is set',
  }),
};

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type EngineSettings = Intersection<(typeof all)[number]['settings']>;

/** The settings of all engines, and which one is meant where several have an address. */
export const engineSettings: EngineSettings & typeof choice = Object.assign(
  {},
  choice,
  ...all.map(({ settings }) => settings),
);
/** The settings that say where documents are kept. */
export type StorePlace = SettingValues<typeof engineSettings>;

/** An engine that reads its own settings out of those of all. */
export type Engine = Omit<StoreEngine<EngineSettings>, 'settings'>;

/** Every engine. */
export const engines: readonly Engine[] = all;

/**
 * The engine that the settings ask for.
 * @throws ContextloomError `invalid` for one that is named and has no address
 */
export function engineOf(place: StorePlace): Engine {
  const named = place.engine === undefined ? engines : engines.filter(({ name }) => name === place.engine);
  const engine = named.find((one) => one.isChosen(place));
  if (engine !== undefined) return engine;
  const message = `KB_STORE is ${place.engine}: ${named.flatMap(({ needs = [] }) => needs).join('; or ')}`;
  throw new ContextloomError('invalid', message, { field: 'KB_STORE' });
}
