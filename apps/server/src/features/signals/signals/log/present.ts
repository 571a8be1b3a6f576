import type { NormalizedSignal } from '@yardarm/contract';
import type { SignalSource } from '#features/signals/signal-sources/index.ts';
import { isoTime } from '#kernel/clock.ts';
import { JsonText } from '#kernel/json-text.ts';
import type { SignalDigest } from './digest.ts';
import type { ReceivedSignal } from './queries.ts';
import type { Refusal } from './refusals.ts';
import { type AcceptedSignal, isSilence, type Signal, senderTokenId, testTokenId } from './signal.ts';

const source = 'signal-endpoint' as const;

/** Returns the answer to a sender. A batch is a duplicate when each of its events is one. */
export function presentAccepted(accepted: readonly AcceptedSignal[]) {
  const duplicate = accepted.length > 0 && accepted.every((signal) => signal.duplicate);
  return { signals: accepted.map(({ signal }) => presentSignal(signal)), duplicate };
}

/** Returns the answer to a sender, with a text when the sender shows it to a person. */
export function presentAnswer({ answersPerson }: SignalSource, accepted: readonly AcceptedSignal[]) {
  const answer = presentAccepted(accepted);
  if (answersPerson === undefined) return answer;
  const signals = answer.signals.map((shown, index) => {
    const payload: unknown = JSON.parse(accepted[index]?.signal.payload ?? 'null');
    return { ...shown, payload: new JsonText(JSON.stringify(withoutMembers(payload, answersPerson.leavesOut))) };
  });
  const [first] = answer.signals;
  const what = first?.normalized?.title == null ? 'This' : `“${first.normalized.title}”`;
  const received = answer.duplicate ? 'was received before' : 'was received';
  const text = first === undefined ? 'The endpoint is there.' : `${what} ${received}, as signal ${first.id}.`;
  return { response_type: 'ephemeral' as const, text, ...answer, signals };
}

/** Returns a payload without members of it, and of the JSON in its member `payload`. */
function withoutMembers(payload: unknown, leavesOut: readonly string[]): unknown {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload;
  const kept = Object.entries(payload).filter(([name]) => !leavesOut.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name !== 'payload' || typeof value !== 'string') return [name, value];
      try {
        return [name, JSON.stringify(withoutMembers(JSON.parse(value), leavesOut))];
      } catch {
        // A text that is no JSON has no members to leave out.
        return [name, value];
      }
    }),
  );
}

function presentSignal(signal: Signal) {
  return {
    id: signal.id,
    source,
    sourceId: signal.endpointId,
    createdAt: isoTime(signal.createdAt),
    createdBySourceTokenId: senderTokenId(signal.tokenId),
    normalized: normalizedOf(signal),
    payload: new JsonText(signal.payload),
  };
}

function normalizedOf({ normalized }: Signal): NormalizedSignal | null {
  return normalized === null ? null : JSON.parse(normalized);
}

/** Returns a signal of which only the digest is left. */
export function presentDeleted(digest: SignalDigest) {
  const { signalId: id, endpointId: sourceId, createdAt } = digest;
  return { id, source, sourceId, createdAt: isoTime(createdAt), ...presentDigest(digest) };
}

/** Returns the digest of a deleted payload. */
export function presentDigest({ sha256, bytes, deletedAt }: SignalDigest) {
  return { sha256, bytes, deletedAt: isoTime(deletedAt) };
}

/** Returns a received signal as JSON text. A list of all endpoints (`all`) also names the endpoint of each signal. */
export function receivedJson(signal: ReceivedSignal, listedBy: 'endpoint' | 'all', withPayload: boolean): string {
  const fields = {
    id: signal.id,
    source,
    sourceId: signal.endpointId,
    createdAt: isoTime(signal.createdAt),
    tokenName: signal.tokenName,
    test: signal.tokenId === testTokenId,
    silence: isSilence(signal),
    ...(listedBy === 'all' ? { sourceName: signal.endpointName, sourceDescription: signal.endpointDescription } : {}),
  };
  const text = JSON.stringify(fields);
  if (!withPayload) return text;
  return `${text.slice(0, -1)},"normalized":${signal.normalized ?? 'null'},"payload":${signal.payload}}`;
}

/** Returns the counts of refused requests. */
export function presentRefusal({ lastAt, ...refusal }: Refusal) {
  return { ...refusal, lastAt: isoTime(lastAt) };
}
