// Changes one text in one file of the ranking as it is loaded: what `PANEL_ABLATION` says, `{"file", "from", "to"}`.
import process from 'node:process';

const { file, from, to } = JSON.parse(process.env.PANEL_ABLATION);

/** Node's hook: the source of the named file, with the change. */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!new URL(url).pathname.endsWith(file)) return loaded;
  const source = String(loaded.source);
  if (source.split(from).length !== 2) throw new Error(`${file} has not "${from}" once`);
  return { ...loaded, source: source.replace(from, () => to) };
}
