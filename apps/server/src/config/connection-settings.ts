import { integer } from './setting-types.ts';

/** How many connections clients may hold. */
export const connectionSettings = {
  connectionLimit: integer({
    names: ['YARDARM_CONNECTION_LIMIT'],
    default: 20_000,
    min: 0,
    max: 1_000_000,
    meaning:
      'Most connections of all clients that a process keeps open, streams included; more are closed on arrival. 0 lifts the limit.',
  }),
  connectionsPerAddressLimit: integer({
    names: ['YARDARM_CONNECTIONS_PER_ADDRESS_LIMIT'],
    default: 5000,
    min: 0,
    max: 1_000_000,
    meaning:
      'Most connections of one client address that a process keeps open; more are closed on arrival. 0 lifts the limit. It is not applied where YARDARM_TRUST_PROXY is set: all connections are then those of the proxy.',
  }),
} as const;
