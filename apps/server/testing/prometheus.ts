import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import type { TestServer } from './server.ts';

/** A request that the fake server received. `form` has the decoded fields of the body. */
export interface ReceivedQuery {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
}

export interface FakePrometheus {
  /** Host and port of the fake server, such as `127.0.0.1:9090`. */
  readonly host: string;
  /** The requests that the fake server received, in order. */
  readonly queries: ReceivedQuery[];
  /** Sets how requests are answered from now on. */
  answer(how: (response: ServerResponse, query: ReceivedQuery) => void): void;
}

/**
 * Starts a local HTTP server in place of a Prometheus server, and stops it after the tests of the file. Until `answer`
 * is called, answers say that there are no series.
 */
export async function startFakePrometheus(): Promise<FakePrometheus> {
  const queries: ReceivedQuery[] = [];
  let how: Parameters<FakePrometheus['answer']>[0] = (response) => answerValue(response);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      const query = { path: request.url ?? '', form, headers: request.headers };
      queries.push(query);
      how(response, query);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    queries,
    answer: (next) => {
      how = next;
    },
  };
}

/** Answers a query as Prometheus does: with one series of this value, or without series when `value` is undefined. */
export function answerValue(response: ServerResponse, value?: number | string): void {
  const result = value === undefined ? [] : [{ metric: {}, value: [1, String(value)] }];
  answerData(response, { resultType: 'vector', result });
}

/** Answers with data as Prometheus does. */
export function answerData(response: ServerResponse, data: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: 'success', data }));
}

const minuteMs = 60_000;

/**
 * Advances the clock minute by minute. In each minute, runs the jobs that are due 7 seconds after it began, when the
 * reports of the last minute have arrived, waits for the answers of the Prometheus server, and runs the jobs that read
 * them 3 seconds later. The clock starts at the time of the system: without a fixed second, the look of a minute could
 * fall between the two.
 */
export async function passQuerying({ app, clock }: TestServer, minutes: number): Promise<void> {
  const { jobs, externalMetrics } = app.service;
  for (let minute = 0; minute < minutes; minute++) {
    clock.advance(minuteMs - (clock.now() % minuteMs) + 7000);
    await jobs.runDue();
    await externalMetrics.idle();
    clock.advance(3000);
    await jobs.runDue();
  }
}

/**
 * Answers a query or a range query with one series whose value depends on the time, in milliseconds UTC. There is no
 * series at times without a value.
 */
export function answerByTime(
  response: ServerResponse,
  { path, form }: Pick<ReceivedQuery, 'path' | 'form'>,
  valueAt: (at: number) => number | string | undefined,
): void {
  if (!path.endsWith('/query_range')) {
    answerValue(response, valueAt(Number(form['time']) * 1000));
    return;
  }
  const values: [number, string][] = [];
  for (let at = Number(form['start']); at <= Number(form['end']); at += Number(form['step'])) {
    const value = valueAt(at * 1000);
    if (value !== undefined) values.push([at, String(value)]);
  }
  answerData(response, { resultType: 'matrix', result: values.length === 0 ? [] : [{ metric: {}, values }] });
}
