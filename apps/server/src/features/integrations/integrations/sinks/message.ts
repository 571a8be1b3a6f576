import { boldName, plainSummary } from '@yardarm/contract';
import { labelOf, originOfEvent, presentEvent } from '#features/log/events/index.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Thread } from '../threads/index.ts';
import { visible } from './markdown.ts';
import { type Link, pagesOf } from './pages.ts';
import type { SinkContext } from './sink.ts';

/** An event as chat programs and monitors show it. */
export interface Message {
  /** The label of the event, such as "Flag enabled". */
  readonly title: string;
  /** A sentence in Markdown: names are between `**`. */
  readonly markdown: string;
  /** The same sentence without marks. */
  readonly text: string;
  readonly reason: string | null;
  /** The state of the incident or hold that the event is about, in Markdown; null for an event that stands alone. */
  readonly status: string | null;
  readonly outcome: string;
  /** The page of the event. Opening it changes nothing: chat programs fetch links. */
  readonly url: string;
  /** Pages where a person can look further or release and override, the page of the event last. */
  readonly links: readonly Link[];
  /** Names and values for filters, such as `project:default`. */
  readonly tags: readonly string[];
}

/** The parts of a {@link SinkContext}, and of its thread, that a message shows. */
export interface MessageContext extends Pick<SinkContext, 'baseUrl' | 'alerts'> {
  readonly thread?: Pick<Thread, 'headline' | 'status' | 'incidentId'> | undefined;
}

/** Returns the message of an event, with its thread and the alert that caused it where it has them. */
export function messageOf(event: EventRow, { baseUrl, thread, alerts }: MessageContext): Message {
  const alert = thread?.headline == null ? alerts?.get(event.id) : undefined;
  const { outcome, ...shown } = presentEvent(event);
  const summary = visible(thread?.headline ?? withAlert(shown.summary, alert?.title));
  const reason = shown.reason === null ? null : visible(shown.reason);
  const url = `${baseUrl}/history?event=${event.id}`;
  const tags: readonly (readonly [string, string | null])[] = [
    ['type', event.type],
    ['project', event.project],
    ['environment', event.environment],
    ['flag', event.feature_name],
  ];
  return {
    title: thread?.headline == null ? labelOf(event) : 'Incident',
    markdown: summary,
    text: plainSummary(summary),
    reason,
    status: thread?.status == null ? null : visible(thread.status),
    outcome,
    url,
    links: [
      ...pagesOf(event, baseUrl, thread),
      ...(alert?.link == null ? [] : [{ text: 'Open the alert', url: alert.link }]),
      { text: 'Open the event', url },
    ],
    tags: tags.flatMap(([name, value]) => (value === null ? [] : [`${name}:${value}`])),
  };
}

/** Names the alert, unless the sentence does so already, as in the reason of a hold. */
function withAlert(sentence: string, title: string | null | undefined): string {
  return title == null || sentence.includes(title) ? sentence : `${sentence}. Alert: ${boldName(title)}`;
}

/**
 * Returns the address of the client that made a change; null for other changes, and when the receiver must not see it.
 */
export function clientAddressOf(event: EventRow, { showsOrigin }: Pick<SinkContext, 'showsOrigin'>): string | null {
  return showsOrigin ? (originOfEvent(event)?.address ?? null) : null;
}
