import {
  type EventType,
  eventData,
  eventLabels,
  eventTypes,
  eventWithOriginSchema,
  feedMediaTypes,
} from '@yardarm/contract';
import { jsonSchema } from './openapi.ts';

type JsonObject = Record<string, unknown>;

/** Returns the JSON Schema (2020-12) of the events of a type, below the URL `base`. */
export function eventTypeSchema(type: EventType, base: string): { $schema: string } & JsonObject {
  const { properties, ...rest } = jsonSchema(eventWithOriginSchema, 'output') as { properties: JsonObject };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${base}/docs/event-types/${type}`,
    title: eventLabels[type],
    description: 'Events as this version records them. Events of earlier versions may lack fields of `data`.',
    ...rest,
    properties: { ...properties, ...fieldsOf(type) },
  };
}

/** Returns the schemas of the fields that differ between event types. */
function fieldsOf(type: EventType): JsonObject {
  const { data, preData } = eventData[type];
  return {
    type: { const: type },
    data: jsonSchema(data, 'output'),
    preData: jsonSchema(preData, 'output'),
  };
}

/** Returns the messages of the AsyncAPI document, one for each event type. Takes some 20 ms. */
export function asyncApiMessages(): JsonObject {
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        name: type,
        title: eventLabels[type],
        contentType: feedMediaTypes.json,
        payload: {
          allOf: [{ $ref: '#/components/schemas/event' }, { properties: fieldsOf(type) }],
        },
      },
    ]),
  );
}

/** Returns the event feed as an AsyncAPI 3 document, with the messages of {@link asyncApiMessages}. */
export function asyncApiDocument(
  messages: JsonObject,
  version: string,
  base: string,
): { asyncapi: string } & JsonObject {
  const { host, protocol, pathname } = new URL(base);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Yardarm events',
      version,
      description: 'The events of the feature-flag service, in the order in which they were committed.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: {
      server: {
        host,
        pathname,
        protocol: protocol.slice(0, -1),
        security: [{ $ref: '#/components/securitySchemes/apiKey' }],
      },
    },
    channels: {
      events: {
        address: '/api/admin/events/feed',
        description: 'Server-sent events, NDJSON, or pages. Send `after` with the id of the last event that was read.',
        messages: Object.fromEntries(eventTypes.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
      },
    },
    operations: {
      receiveEvents: { action: 'receive', channel: { $ref: '#/channels/events' } },
    },
    components: {
      messages,
      schemas: { event: jsonSchema(eventWithOriginSchema, 'output') },
      securitySchemes: { apiKey: { type: 'httpApiKey', in: 'header', name: 'Authorization' } },
    },
  };
}
