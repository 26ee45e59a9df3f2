/** The name of a file without its folder and its ending; undefined of text that is from no file. */
export function toFileTitle(file: string): string | undefined {
  const name = file
    .split(/[/\\]/u)
    .at(-1)
    ?.replace(/\.\w{1,8}$/u, '');
  return name === '' ? undefined : name;
}
