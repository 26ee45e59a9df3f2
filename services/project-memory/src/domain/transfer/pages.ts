import { PAGE_LENGTH } from '@contextloom/contracts';

/** Some units of an export; `next` is the number of units before those that follow. */
export interface TransferPage {
  readonly lines: string;
  readonly next?: number;
}

/** Joins the versions of a memory and the memory, which are imported at once; header and end are left out. */
async function* toUnits(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = '';
  for await (const line of lines) {
    const { kind }: { readonly kind: string } = JSON.parse(line);
    if (kind === 'header' || kind === 'end') continue;
    waiting += line;
    if (kind === 'version') continue;
    yield waiting;
    waiting = '';
  }
}

/**
 * Cuts a page out of an export that is read again from its beginning. Memories and verdicts are never taken away: what comes in
 * meanwhile may stand in two pages, which an import does not mind.
 */
export async function toTransferPage(lines: AsyncIterable<string>, from: number): Promise<TransferPage> {
  let page = '';
  let number = 0;
  for await (const unit of toUnits(lines)) {
    if (number >= from) {
      if (page.length >= PAGE_LENGTH) return { lines: page, next: number };
      page += unit;
    }
    number += 1;
  }
  return { lines: page };
}
