import type { signalSourceRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { type SignalSample, signalSamples } from './samples/index.ts';
import { type SignalSource, type SourceSetup, signalSources } from './sources/index.ts';

/** Returns the handlers that describe the kinds of senders. */
export function signalSourceHandlers(): Handlers<typeof signalSourceRoutes> {
  const body = { signalSources: Object.values(signalSources).map(presentSource) };
  return { 'GET /api/admin/signal-sources': async () => ({ body }) };
}

function presentSource(source: SignalSource) {
  const { name, displayName, documentationUrl, authentication, header, limits, repeat, setup, signature } = source;
  return {
    name,
    displayName,
    documentationUrl,
    authentication: [...authentication],
    header: header ?? null,
    secretLabel: signature?.secretLabel ?? null,
    limits: limits ?? null,
    repeat: repeat ?? null,
    sample: presentSample(signalSamples[name]),
    setup: presentSetup(setup),
  };
}

function presentSample(sample: SignalSample | undefined) {
  return sample === undefined ? null : { firing: { ...sample.firing }, resolved: { ...sample.resolved } };
}

function presentSetup({ where, values, code }: SourceSetup) {
  return { where, values: [...values], code: code ?? null };
}
