import { checkHeaderValue, findUrlProblem, parseHeaders } from '#features/platform/outbound/index.ts';
import { badField } from '#kernel/errors.ts';
import type { Sink, SinkParameter, SinkParameters } from './sink.ts';

type ParameterOptions = Pick<SinkParameter, 'name' | 'displayName' | 'description'> &
  Partial<Pick<SinkParameter, 'type' | 'required' | 'sensitive'>>;

/** Returns a parameter: text, optional and shown unless said otherwise. */
export function parameter(options: ParameterOptions): SinkParameter {
  return { type: 'text', required: false, sensitive: false, ...options };
}

/** The parameter for headers that a receiver or a proxy before it needs. */
export const customHeaders = parameter({
  name: 'customHeaders',
  displayName: 'Extra headers',
  type: 'textfield',
  description: 'A JSON object of header names and values.',
  sensitive: true,
});

/**
 * Throws a 400 that names the first invalid parameter: an unknown one, a missing required one, an invalid URL, invalid
 * extra headers, a value that no HTTP header can hold, or one that the kind does not take.
 */
export function checkParameters(sink: Sink, given: SinkParameters): void {
  const unknown = Object.keys(given).find((key) => !sink.parameters.some((known) => known.name === key));
  if (unknown !== undefined) throw badField(`parameters.${unknown}`, `is not a parameter of ${sink.name}`);
  for (const known of sink.parameters) {
    const value = given[known.name] ?? '';
    const field = `parameters.${known.name}`;
    if (value === '' && known.required) throw badField(field, 'must not be empty');
    if (value === '') continue;
    const problem = known.type === 'url' ? findUrlProblem(value) : undefined;
    if (problem !== undefined) throw badField(field, problem);
    if (known === customHeaders) rejectInvalid(field, () => parseHeaders(value));
    else if (known.type !== 'textfield') rejectInvalid(field, () => checkHeaderValue(value));
  }
  sink.checkParameters?.(given);
}

/** Throws a 400 for `field` when `check` throws. */
export function rejectInvalid(field: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw badField(field, error instanceof Error ? error.message : 'is invalid');
  }
}
