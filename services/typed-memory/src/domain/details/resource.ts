const ADDRESS = /\b(?:https?|ftp|file):\/\/[^\s<>"'）)】\]，。]+/u;
const PATH = /(?:^|\s)(?<path>(?:~?\/|[A-Za-z]:\\|\.{1,2}\/)[^\s<>"'，。]+)/u;
const FILE_NAME =
  /(?:^|[\s"'“《(（])(?<name>[\p{L}\p{N}_-][\p{L}\p{N} _.-]{0,80}\.[A-Za-z][A-Za-z0-9]{1,4})(?=$|[\s"'”》),，。）])/u;
const HEADING = /^#{1,6}\s+(?<title>\S.*)$/mu;
const MAX_TITLE = 120;

const kinds: readonly (readonly [kind: string, extensions: RegExp])[] = [
  ['image', /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|heic)$/iu],
  ['code', /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|h|cpp|cs|rb|php|sh|sql|ya?ml|toml|json)$/iu],
  ['document', /\.(?:pdf|docx?|odt|pptx?|xlsx?|csv|epub|md|txt|rtf|html?)$/iu],
];

/** What a resource is called, what it is and where it is, as far as its text and its context say. */
export function findResource(
  content: string,
  context: string | undefined,
): { readonly title: string; readonly kind: string; readonly location?: string } {
  const text = `${context ?? ''}\n${content.slice(0, 4_000)}`;
  const location =
    ADDRESS.exec(text)?.[0] ?? PATH.exec(text)?.groups?.['path'] ?? FILE_NAME.exec(text)?.groups?.['name'];
  const heading = HEADING.exec(content.slice(0, 4_000))?.groups?.['title'];
  const firstLine = content.trim().split('\n', 1)[0] ?? '';
  const title = (heading ?? context ?? firstLine).trim().slice(0, MAX_TITLE);
  const path = location?.replace(/[?#].*$/u, '') ?? '';
  const byExtension = kinds.find(([, extensions]) => extensions.test(path))?.[0];
  const kind = byExtension ?? (location === undefined ? 'text' : ADDRESS.test(location) ? 'link' : 'file');
  return { title, kind, ...(location !== undefined && { location }) };
}
