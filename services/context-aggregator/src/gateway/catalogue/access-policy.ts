import type { Item, ListKind } from '../messages/provider.ts';

/** What of one server is offered to clients, under which names. */
export interface Exposure {
  /** Names of tools and prompts that are offered; all where it is absent. */
  readonly allow?: readonly string[] | undefined;
  /** Names that are not. */
  readonly deny?: readonly string[] | undefined;
  /** Offers only tools that say of themselves that they change nothing. */
  readonly readOnly?: boolean | undefined;
  readonly rename?: Readonly<Record<string, string>> | undefined;
  /** Put in front of each name; `<server>__` where it is absent, empty for none. */
  readonly prefix?: string | undefined;
}

const isReading = ({ annotations }: Item): boolean =>
  typeof annotations === 'object' && annotations !== null && Reflect.get(annotations, 'readOnlyHint') === true;

/** Whether an entry of a list is offered. Resources have no names to allow or deny by; their URIs are their server's. */
export function isExposed(item: Item, kind: ListKind, exposure: Exposure, mayWrite: boolean): boolean {
  if (kind === 'resources' || kind === 'resourceTemplates') return true;
  const name = String(item['name']);
  if (exposure.allow?.includes(name) === false || exposure.deny?.includes(name) === true) return false;
  return kind === 'prompts' || (mayWrite && exposure.readOnly !== true) || isReading(item);
}
