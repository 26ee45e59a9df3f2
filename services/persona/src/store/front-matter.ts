import { ContextloomError, findFrontMatterTrap, MAX_FRONT_MATTER_ALIASES } from '@contextloom/contracts';
import { parse as parseYaml } from 'yaml';
import type { SourceFile } from '../domain/source-file.ts';
import type { SpiritFile } from '../domain/spirit.ts';

/**
 * Separates the YAML front matter of a file from its body. A `---` line opens front matter only at the very start, and only
 * when it contains a mapping or nothing.
 * @throws ContextloomError `invalid`, naming the file, for front matter that is not YAML
 */
export function parseFrontMatter(file: SourceFile): SpiritFile {
  const match = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/my.exec(file.text);
  const frontMatter = match === null ? undefined : (parseMapping(match[1] ?? '', file.path) ?? {});
  const isMapping = typeof frontMatter === 'object' && !Array.isArray(frontMatter);
  if (match === null || !isMapping) return { ...file, frontMatter: {}, body: file.text };
  return { ...file, frontMatter, body: file.text.slice(match[0].length) };
}

function parseMapping(yaml: string, path: string): unknown {
  const trap = findFrontMatterTrap(yaml);
  if (trap !== undefined) throw new ContextloomError('invalid', `${path} front matter ${trap}`, { field: path });
  try {
    return parseYaml(yaml, { maxAliasCount: MAX_FRONT_MATTER_ALIASES });
  } catch (cause) {
    throw new ContextloomError('invalid', `${path} front matter is not valid YAML`, { field: path, cause });
  }
}
