import { ContextloomError } from './errors.ts';

/** A part of the product whose packages are installed by those who use it. */
export interface OptionalPart {
  /** The part as the sentence begins, such as `Chroma needs`. */
  readonly needs: string;
  /** What npm installs, such as `chromadb@3.1.0`. */
  readonly packages: readonly string[];
}

const isMissing = (cause: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(Object(cause).code));

/** Says how to install the packages of a part, in one sentence. */
const toInstallSentence = ({ needs, packages }: OptionalPart): string =>
  `${needs} ${packages.join(' and ')}, which you install next to contextloom: npm install ${packages.join(' ')}`;

/**
 * Loads code that needs packages which may not be installed.
 * @throws ContextloomError `unavailable`, with the sentence that says how to install them
 */
export async function loadOptional<T>(part: OptionalPart, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new ContextloomError('unavailable', toInstallSentence(part), { cause });
  }
}
