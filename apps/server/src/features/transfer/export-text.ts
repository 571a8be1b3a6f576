import { setImmediate as nextTurn } from 'node:timers/promises';
import { exportResultSchema } from '@yardarm/contract';
import type { ExportResult } from './export.ts';

/** Items that are made into text in one turn of the event loop: a few milliseconds of work. */
const itemsAtOnce = 200;

/** Lists of an export, each alone. */
const shape = exportResultSchema.partial();

/** Returns the JSON of an export, shaped as the contract says, a few items in each turn of the event loop. */
export async function* exportText(result: ExportResult): AsyncGenerator<string> {
  let before = '{';
  for (const [name, list] of Object.entries(result)) {
    if (list === undefined) continue;
    yield `${before}${JSON.stringify(name)}:[`;
    before = '],';
    for (let at = 0; at < list.length; at += itemsAtOnce) {
      const some = shape.parse({ [name]: list.slice(at, at + itemsAtOnce) });
      yield (at === 0 ? '' : ',') +
        Object.values(some)
          .map((items) => JSON.stringify(items).slice(1, -1))
          .join();
      await nextTurn();
    }
  }
  yield ']}';
}
