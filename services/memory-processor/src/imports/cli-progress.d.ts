/** The part of cli-progress 3.12 that the import uses; the package has no types of its own. */
declare module 'cli-progress' {
  export interface BarOptions {
    readonly format: string;
    readonly stream: NodeJS.WritableStream;
    readonly clearOnComplete: boolean;
    readonly hideCursor: boolean;
    readonly barsize?: number;
  }
  class SingleBar {
    constructor(options: BarOptions);
    start(total: number, done: number, payload: Readonly<Record<string, string>>): void;
    update(done: number, payload?: Readonly<Record<string, string>>): void;
    setTotal(total: number): void;
    stop(): void;
  }
  const cliProgress: { readonly SingleBar: typeof SingleBar };
  export default cliProgress;
}
