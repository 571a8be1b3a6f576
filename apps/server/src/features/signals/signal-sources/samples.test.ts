import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { normalizedText, signalSources } from './index.ts';
import { type SignalSample, signalSamples } from './samples/index.ts';

const samples = Object.entries(signalSamples) as [keyof typeof signalSources, SignalSample][];
const times = { startedAt: '2026-11-22T12:00:00.000Z', now: '2026-11-22T12:05:00.000Z', id: 'one' };

/** Sets the times and ids of a sample, as the interface does when it sends one. */
function filled(sample: object): unknown {
  const text = JSON.stringify(sample).replaceAll(
    /\{(startedAt|now|id)\}/g,
    (_, name: keyof typeof times) => times[name],
  );
  return JSON.parse(text);
}

describe('the sample of a sender', () => {
  it.each(samples)('of %s is an alert that fires and is resolved, with one title and fingerprint', (name, sample) => {
    const recognised = (payload: object) =>
      JSON.parse(normalizedText(signalSources[name], filled(payload), () => undefined, null) ?? 'null');
    const [firing, resolved] = [recognised(sample.firing), recognised(sample.resolved)];
    expect([firing.state, resolved.state]).toEqual(['firing', 'resolved']);
    expect(firing.title).toEqual(expect.any(String));
    const sameAlert = ({ title, fingerprint, startedAt, elements }: typeof firing) => ({
      alert: [title, fingerprint, startedAt],
      elements: elements.map((element: typeof firing) => [element.title, element.fingerprint, element.startedAt]),
    });
    expect(sameAlert(resolved)).toEqual(sameAlert(firing));
    expect(firing.fingerprint).toEqual(expect.any(String));
  });

  it('of Alertmanager is what was recorded, except for the times', () => {
    const recorded = (state: string) =>
      JSON.parse(
        readFileSync(
          new URL(`../../../../../../tests/payloads/alertmanager-0.25-${state}.body.json`, import.meta.url),
          'utf8',
        ),
      );
    const { firing, resolved } = signalSamples.alertmanager as SignalSample;
    const [recordedFiring, recordedResolved] = [recorded('firing-1'), recorded('resolved')];
    recordedFiring.alerts[0].startsAt = '{startedAt}';
    Object.assign(recordedResolved.alerts[0], { startsAt: '{startedAt}', endsAt: '{now}' });
    expect(firing).toEqual(recordedFiring);
    expect(resolved).toEqual(recordedResolved);
  });

  it.each([
    ['firing', 'down'],
    ['resolved', 'up'],
  ] as const)('of Uptime Kuma has fields that were recorded when it is %s', (when, state) => {
    const file = `tests/payloads/uptime-kuma-2.0.0-dev.0-${state}.body.json`;
    const recorded = JSON.parse(readFileSync(new URL(`../../../../../../${file}`, import.meta.url), 'utf8'));
    const sample = JSON.parse(JSON.stringify(signalSamples['uptime-kuma']?.[when]));
    const typesOf = (fields: object, names: readonly string[]) =>
      names.map((name) => [name, typeof fields[name as keyof object]]);
    for (const part of ['heartbeat', 'monitor']) {
      const names = Object.keys(sample[part]);
      expect(typesOf(sample[part], names)).toEqual(typesOf(recorded[part], names));
    }
    expect(sample.heartbeat.status).toBe(recorded.heartbeat.status);
    expect(sample.msg.split(']').slice(0, 2)).toEqual(recorded.msg.split(']').slice(0, 2));
  });
});
