/** The pages of a person, in the order of the menu. */
export const personPages = ['home', 'memories', 'things', 'ask', 'you'] as const;
/** What one opens from the page about oneself. */
const ownPages = ['conversations', 'decisions'] as const;
/** The pages of those who run the servers. */
export const adminPages = ['users', 'keys', 'servers', 'activity'] as const;
const pages = [...personPages, ...ownPages, ...adminPages];
/** One of the pages of the page. */
export type Page = (typeof pages)[number];

/** Where the reader is: a page and the question that another page sent along. */
export interface Place {
  readonly page: Page;
  readonly given: URLSearchParams;
}

/** Writes the address of a place, such as `#ask?persona=marlow`. */
export function toHash(page: Page, given: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(given).toString();
  return query === '' ? `#${page}` : `#${page}?${query}`;
}

/** Whether only those who run the servers are shown a page. */
export const isOfAdministration = (page: Page): boolean => adminPages.some((one) => one === page);

/** The entry of the menu that a page belongs to. */
export const toEntry = (page: Page): Page => (ownPages.some((one) => one === page) ? 'you' : page);

/** Names of pages in addresses that people have kept. */
const FORMER: Readonly<Partial<Record<string, Page>>> = Object.assign(Object.create(null), { prompt: 'ask' });

/** Reads an address; an unknown one leads home. */
export function parseHash(hash: string): Place {
  const [name = '', query = ''] = hash.replace(/^#/, '').split('?');
  return { page: pages.find((page) => page === name) ?? FORMER[name] ?? 'home', given: new URLSearchParams(query) };
}
