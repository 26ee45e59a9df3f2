// The package ships no types; these are the parts that the command uses.
declare module 'cli-progress' {
  export interface BarOptions {
    readonly stream: { write(text: string): unknown };
    readonly format: string;
    readonly hideCursor: boolean;
    readonly clearOnComplete: boolean;
  }
  export interface Preset {
    readonly barCompleteChar: string;
    readonly barIncompleteChar: string;
  }
  export const Presets: { readonly shades_classic: Preset };
  export class SingleBar {
    constructor(options: BarOptions, preset: Preset);
    start(total: number, value: number): void;
    setTotal(total: number): void;
    update(value: number): void;
    stop(): void;
  }
}
