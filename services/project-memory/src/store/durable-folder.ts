import { fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type ModuleOptions = Parameters<NodeFS['init']>[1];
type Module = Parameters<NonNullable<ModuleOptions['preRun']>[number]>[0];

/** What emscripten knows of an open file of the machine's own; directories have no descriptor. */
interface NodeStream {
  readonly nfd?: number;
}
interface FileOperations {
  fsync?: (stream: NodeStream) => number;
}

/**
 * A folder of the machine whose files PGlite can flush. Emscripten's NODEFS leaves `fsync` out, and PGlite turns it off: what
 * was committed would be lost with the power, and after a checkpoint more than that.
 */
export class DurableFolder extends NodeFS {
  override async init(pg: PGlite, options: ModuleOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const addFsync = (module: Module): void => {
      const { NODEFS } = module.FS.filesystems as { NODEFS: { stream_ops: FileOperations } };
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        if (nfd !== undefined) fsyncSync(nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
  }
}
