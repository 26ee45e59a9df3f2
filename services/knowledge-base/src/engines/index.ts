import type { SettingValues } from '@contextloom/mcp-kit';
import { chromaEngine, chromaSettings } from './chroma-engine.ts';
import { embeddedEngine, embeddedSettings } from './embedded-engine.ts';
import type { StoreEngine } from './engine.ts';

/** What decides where documents are kept, for every engine. */
export const engineSettings = { ...embeddedSettings, ...chromaSettings };
/** The settings that say where documents are kept. */
export type StorePlace = SettingValues<typeof engineSettings>;

const engines: readonly StoreEngine<StorePlace>[] = [chromaEngine, embeddedEngine];

/** The engine that the settings ask for. */
export function engineOf(place: StorePlace): StoreEngine<StorePlace> {
  return engines.find((engine) => engine.isAskedFor(place)) ?? embeddedEngine;
}
