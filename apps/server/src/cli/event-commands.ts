import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { eventCsvHeader, eventCsvRows, type eventWithOriginSchema, plainSummary } from '@yardarm/contract';
import type { z } from 'zod';
import { CommandError } from './command-error.ts';
import { printable } from './printable.ts';
import { Refusal, type Remote } from './remote.ts';

type Event = z.output<typeof eventWithOriginSchema>;

/** A page of the feed. */
interface Page {
  readonly events: readonly Event[];
  readonly next: number;
  readonly hasMore: boolean;
  readonly epoch: string;
}

/** The filters of the feed, as comma-separated lists. */
export interface FeedFilters {
  readonly types?: string | undefined;
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly feature?: string | undefined;
}

export interface TailOptions extends FeedFilters {
  readonly after: string;
  readonly json?: boolean | undefined;
}

export interface ExportEventsOptions extends FeedFilters {
  readonly after: string;
  readonly format: string;
  readonly output?: string | undefined;
}

const waitSeconds = 30;
const firstRetryMs = 1000;
const maxRetryMs = 30_000;

/**
 * Prints each new event until the process ends, as a line of text or, with `json`, as JSON. When the server cannot be
 * reached, prints an error, retries, and continues after the last printed event. Rejects when the first request fails,
 * or when the server refuses a later one.
 */
export async function tailEvents(remote: Remote, { after, json = false, ...filters }: TailOptions): Promise<never> {
  let position: { readonly after: string; readonly epoch?: string } = { after };
  let retryMs = firstRetryMs;
  for (let hasBegun = false; ; hasBegun = true) {
    try {
      const page = await readPage(remote, { ...filters, ...position, wait: waitSeconds });
      for (const event of page.events) console.log(json ? JSON.stringify(event) : lineOf(event));
      position = { after: String(page.next), epoch: page.epoch };
      retryMs = firstRetryMs;
    } catch (error) {
      if (!(error instanceof CommandError) || !hasBegun || isFinal(error)) throw error;
      console.error(`${error.message} Trying again in ${retryMs / 1000} s.`);
      await pause(retryMs);
      retryMs = Math.min(retryMs * 2, maxRetryMs);
    }
  }
}

/**
 * Writes all events up to now, oldest first, to a new file or to standard output: as NDJSON, JSON or CSV. The event log
 * records the export. Leaves no file when reading, recording or writing fails.
 */
export async function exportEvents(
  remote: Remote,
  { after, format, output, ...filters }: ExportEventsOptions,
): Promise<void> {
  const write = formats[format];
  if (write === undefined)
    throw new CommandError(`The format ${format} is unknown. Use ${Object.keys(formats).join(', ')}.`);
  let count = 0;
  const texts = async function* () {
    yield write.head;
    for (let position: { readonly after: string; readonly epoch?: string } = { after }; ; ) {
      const page = await readPage(remote, { ...filters, ...position, limit: 1000 });
      yield write.rows(page.events, count === 0);
      count += page.events.length;
      position = { after: String(page.next), epoch: page.epoch };
      if (!page.hasMore) break;
    }
    await remote.call('POST /api/admin/event-exports', { format, events: count, filters: given({ ...filters }) });
    yield write.tail;
  };
  if (output === undefined) await pipeline(texts, process.stdout, { end: false });
  else await writeFile(output, texts);
  if (output !== undefined) console.log(`Wrote ${count} events to ${output}.`);
}

/** Writes a new file. Deletes the file when writing or reading fails: a part would look like the whole export. */
async function writeFile(file: string, texts: () => AsyncIterable<string>): Promise<void> {
  const out = createWriteStream(file, { flags: 'wx' });
  await opened(out, file);
  try {
    await pipeline(texts, out);
  } catch (error) {
    await rm(file, { force: true });
    throw error instanceof CommandError ? error : unwritable(file, error);
  }
}

interface Format {
  readonly head: string;
  readonly tail: string;
  rows(events: readonly Event[], areFirst: boolean): string;
}

const formats: Readonly<Record<string, Format>> = {
  ndjson: { head: '', tail: '', rows: (events) => events.map((event) => `${JSON.stringify(event)}\n`).join('') },
  json: {
    head: '[',
    tail: '\n]\n',
    rows: (events, areFirst) =>
      events.map((event, index) => `${areFirst && index === 0 ? '' : ','}\n${JSON.stringify(event)}`).join(''),
  },
  csv: { head: eventCsvHeader, tail: '', rows: eventCsvRows },
};

async function readPage(remote: Remote, query: Readonly<Record<string, string | number | undefined>>): Promise<Page> {
  const parameters = new URLSearchParams(given(query));
  return (await remote.call(`GET /api/admin/events/feed?${parameters}` as 'GET /api/admin/events/feed')) as Page;
}

function given(query: Readonly<Record<string, string | number | undefined>>): Record<string, string> {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return Object.fromEntries(entries);
}

/** Returns whether trying again cannot help: the server has refused the token or the query. */
function isFinal(error: CommandError): boolean {
  return error instanceof Refusal && error.status < 500 && error.status !== 429;
}

async function opened(out: NodeJS.WritableStream, file: string): Promise<void> {
  try {
    await once(out, 'open');
  } catch (error) {
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): CommandError {
  return new CommandError(`${file} cannot be written: ${(error as Error).message}`);
}

/** Returns an event as a line of text. */
function lineOf({ createdAt, summary, reason }: Event): string {
  return printable(`${createdAt}  ${plainSummary(summary)}${reason === null ? '' : `: ${reason}`}`);
}
