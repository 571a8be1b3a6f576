import { z } from 'zod';
import { type Fetched, type FetchWhole, fetchFailures, loggableText } from '#features/platform/outbound/index.ts';
import { startOfText } from '#kernel/cut-text.ts';

/** A Prometheus-compatible server: its API for queries. */
export interface MetricSource {
  /** The address without credentials. */
  readonly url: string;
  /** Returns the value of PromQL at a time in milliseconds UTC, or the reason why there is no usable answer. */
  value(promql: string, at: number, stop?: AbortSignal): Promise<Reading>;
  /** Returns the values of PromQL in steps, which may be NaN or infinite. Throws a {@link SourceError}. */
  curves(promql: string, period: SourcePeriod): Promise<SourceCurve[]>;
  /** Returns the names of all metrics. Throws a {@link SourceError}. */
  names(): Promise<string[]>;
}

/** The value of a metric, or why it has none. */
export type Reading = { readonly value: number } | NoReading;

export interface NoReading {
  readonly value?: undefined;
  /** Why there is no value, as a sentence. */
  readonly reason: string;
  /** True when the server answered without any series. */
  readonly isEmpty?: true;
  /** True when a query of a past time failed. */
  readonly hasFailed?: true;
}

/** A period, divided into steps. Times in milliseconds UTC; `to` is not included. */
export interface SourcePeriod {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

export interface SourceCurve {
  readonly labels: Readonly<Record<string, string>>;
  /** Pairs of a time in milliseconds UTC and a value. */
  readonly points: readonly (readonly [number, number])[];
}

/** The server gave no usable answer. The message is a sentence without secrets. */
export class SourceError extends Error {
  readonly reason: FailureReason;

  constructor(message: string, reason: FailureReason) {
    super(message);
    this.reason = reason;
  }
}

export interface SourceAddress {
  /** May contain a user name and a password. */
  readonly url: string;
  readonly token?: string | undefined;
}

type Form = Readonly<Record<string, string>>;

const number = z.string().transform(Number);
const sample = z.tuple([z.number(), number]);
const labels = z.record(z.string(), z.string());
const vector = z.array(z.object({ metric: labels, value: sample }));
const matrix = z.array(z.object({ metric: labels, values: z.array(sample) }));
const problem = z.object({ status: z.literal('error'), error: z.string() });
const maxProblemLength = 200;

/**
 * The results of queries in the metrics. `answered` means a usable answer, also one without series; `failed` means
 * none.
 */
export const queryResults = ['answered', 'failed'] as const;
export type QueryResult = (typeof queryResults)[number];

/**
 * Why a query has no value, in the metrics. A query with the reason `not-a-number` counts as answered, because the
 * server works: an average without samples is NaN.
 */
export const failureReasons = [...fetchFailures, 'status', 'not-prometheus', 'not-a-number'] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Counts queries of a Prometheus server. */
export interface QueryCounters {
  readonly countResult: (result: QueryResult) => void;
  readonly countFailure: (reason: FailureReason) => void;
}

/**
 * Creates the client of a Prometheus server. `fetchWhole` limits the addresses, the time and the size of answers. Each
 * query is counted.
 */
export function createMetricSource(
  address: SourceAddress,
  fetchWhole: FetchWhole,
  { countResult, countFailure }: QueryCounters,
): MetricSource {
  const { base, headers, secrets } = connectionOf(address);
  const send = async <T>(path: string, schema: z.ZodType<T>, form?: Form, stop?: AbortSignal) => {
    const request = {
      method: form === undefined ? 'GET' : 'POST',
      url: base + path,
      headers: { ...headers, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      body: form === undefined ? '' : new URLSearchParams(form).toString(),
    };
    try {
      const data = dataOf(await fetchWhole(request, stop), schema, secrets);
      countResult('answered');
      return data;
    } catch (error) {
      countResult('failed');
      if (error instanceof SourceError) countFailure(error.reason);
      throw error;
    }
  };
  return {
    url: base,
    value: async (query, at, stop) => {
      try {
        const form = { query, time: seconds(at) };
        const reading = readingOf((await send('/api/v1/query', z.object({ result: vector }), form, stop)).result);
        if (reading === notANumber) countFailure('not-a-number');
        return reading;
      } catch (error) {
        if (error instanceof SourceError) return { reason: error.message };
        throw error;
      }
    },
    curves: async (query, { from, to, stepMs }) => {
      // Prometheus returns a value with the time at the end of its step; points have the time at the start of the step.
      const form = { query, start: seconds(from + stepMs), end: seconds(to), step: seconds(stepMs) };
      const { result } = await send('/api/v1/query_range', z.object({ result: matrix }), form);
      return result.map(({ metric, values }) => ({
        labels: metric,
        points: values.map(([at, value]) => [at * 1000 - stepMs, value] as const),
      }));
    },
    names: () => send('/api/v1/label/__name__/values', z.array(z.string())),
  };
}

/** Returns where to send requests, with the credentials of the URL in a header. */
function connectionOf({ url, token }: SourceAddress) {
  const target = new URL(url);
  const [user, password] = [target.username, target.password].map(decodeURIComponent) as [string, string];
  target.username = target.password = '';
  const basic = user === '' && password === '' ? undefined : Buffer.from(`${user}:${password}`).toString('base64');
  const authorization = token === undefined ? basic && `Basic ${basic}` : `Bearer ${token}`;
  return {
    base: target.href.replace(/\/+$/, ''),
    headers: { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) },
    secrets: [token, password, basic].flatMap((secret) => secret ?? []),
  };
}

function dataOf<T>(fetched: Fetched, schema: z.ZodType<T>, secrets: readonly string[]): T {
  if ('failure' in fetched) throw new SourceError(fetched.failure, fetched.kind);
  const { status, text } = fetched;
  const json = parse(text);
  if (status !== 200) {
    const { data } = problem.safeParse(json);
    const why = data === undefined ? '' : `: ${startOfText(loggableText(data.error, secrets), maxProblemLength)}`;
    throw new SourceError(`The Prometheus server answered ${status}${why}.`, 'status');
  }
  const { data } = z.object({ status: z.literal('success'), data: schema }).safeParse(json);
  if (data === undefined)
    throw new SourceError('The server did not answer as a Prometheus server does.', 'not-prometheus');
  return data.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const noSeries: NoReading = {
  reason: 'The Prometheus server has no values of it in this time.',
  isEmpty: true,
};
export const severalSeries: NoReading = { reason: 'The Prometheus server answered with several series.' };
export const notANumber: NoReading = { reason: 'Its value at the Prometheus server is not a number.' };

function readingOf(result: z.output<typeof vector>): Reading {
  const [series, ...others] = result;
  if (series === undefined) return noSeries;
  if (others.length > 0) return severalSeries;
  const [, value] = series.value;
  return Number.isFinite(value) ? { value } : notANumber;
}

function seconds(ms: number): string {
  return String(ms / 1000);
}
