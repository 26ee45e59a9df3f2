import type { SettingValues } from '@contextloom/runtime';
import { chromaEngine } from './chroma/engine.ts';
import type { StoreEngine } from './engine.ts';
import { sqliteEngine } from './sqlite/engine.ts';

/** Every engine; the first that the settings ask for keeps the documents, and the last is always asked for. */
const all = [chromaEngine, sqliteEngine] as const;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type EngineSettings = Intersection<(typeof all)[number]['settings']>;

/** The settings of all engines. */
export const engineSettings: EngineSettings = Object.assign({}, ...all.map(({ settings }) => settings));
/** The settings that say where documents are kept. */
export type StorePlace = SettingValues<EngineSettings>;

/** An engine that reads its own settings out of those of all. */
export type Engine = Omit<StoreEngine<EngineSettings>, 'settings'>;

/** Every engine. */
export const engines: readonly Engine[] = all;

/** The engine that the settings ask for. */
export function engineOf(place: StorePlace): Engine {
  return engines.find((engine) => engine.isAskedFor(place)) ?? sqliteEngine;
}
