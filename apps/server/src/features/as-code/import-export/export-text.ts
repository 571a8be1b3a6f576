import { exportResultSchema } from '@yardarm/contract';
import type { z } from 'zod';

type ExportResult = z.input<typeof exportResultSchema>;

/** The pages of each list of an export. Each page is built in its own turn of the event loop. */
export type ExportLists = {
  readonly [Name in keyof ExportResult]-?: AsyncIterable<
    readonly (readonly NonNullable<ExportResult[Name]>[number][])[]
  >;
};

/** The schema of a single list. */
const shape = exportResultSchema.partial();

/** Returns the JSON of an export, shaped as the contract says, in pieces. */
export async function exportText(lists: ExportLists): Promise<string[]> {
  const pieces: string[] = [];
  for (const [name, pages] of Object.entries(lists)) {
    pieces.push(`${pieces.length === 0 ? '{' : '],'}${JSON.stringify(name)}:[`);
    let separator = '';
    for await (const page of pages) {
      const items = Object.values(shape.parse({ [name]: page.flat() }))[0] ?? [];
      if (items.length === 0) continue;
      pieces.push(separator + JSON.stringify(items).slice(1, -1));
      separator = ',';
    }
  }
  pieces.push(']}');
  return pieces;
}
