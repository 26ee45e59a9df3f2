/** Which program of a service runs. */
export interface EntryFile {
  /** The service, as its folder is called. */
  readonly name: string;
  /** The file in `dist/`, without its ending; `server` without one. */
  readonly entry?: string;
  /** Its arguments as the help shows them; `[flags]` without any. */
  readonly args?: string;
}

const isServer = ({ entry = 'server' }: EntryFile): boolean => entry === 'server';

/** The program in messages, such as `knowledge-base reembed`; a server goes by the service's name alone. */
export const toProgramName = (file: EntryFile): string => (isServer(file) ? file.name : `${file.name} ${file.entry}`);

/** The program in log lines, such as `knowledge-base-reembed`. */
export const toLogName = (file: EntryFile): string => toProgramName(file).replace(' ', '-');

/** How the program is called, such as `contextloom serve persona [flags]`. */
export const toUsage = ({ name, entry = 'server', args = '[flags]' }: EntryFile): string =>
  entry === 'server' ? `contextloom serve ${name} ${args}` : `node services/${name}/dist/${entry}.js ${args}`;
