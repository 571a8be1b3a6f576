import { extname } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread from the file `name` in the folder of the module at `moduleUrl`. The file has the extension of
 * that module: `.ts` in the source, `.js` in the built package. In the single executable, the code of the thread is an
 * asset of the executable.
 */
export function startThread(name: string, moduleUrl: string, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(getAsset(`${name}.js`, 'utf8'), { ...options, eval: true });
  return new Worker(new URL(`./${name}${extname(moduleUrl)}`, moduleUrl), options);
}
