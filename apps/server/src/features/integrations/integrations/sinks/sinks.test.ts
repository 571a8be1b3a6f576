import { describe, expect, it } from 'vitest';
import { checkParameters, sinks } from './index.ts';

describe.each(sinks.map((sink) => [sink.name, sink] as const))('the kind of integration %s', (_name, sink) => {
  it('has a unique name, texts for people and parameters with names', () => {
    expect(sinks.filter(({ name }) => name === sink.name)).toEqual([sink]);
    expect([sink.displayName, sink.description, sink.howTo].filter((text) => text.trim() === '')).toEqual([]);
    expect(new Set(sink.parameters.map(({ name }) => name)).size).toBe(sink.parameters.length);
  });

  it('refuses parameters without the required ones, and unknown parameters', () => {
    expect(() => checkParameters(sink, {})).toThrow();
    const required = sink.parameters
      .filter((parameter) => parameter.required)
      .map(({ name }) => [name, 'https://8.8.8.8/hook']);
    expect(() => checkParameters(sink, { ...Object.fromEntries(required), 'no-such': 'x' })).toThrow('no-such');
  });
});
